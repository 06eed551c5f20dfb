"""What a Spark session says that does not answer: one line, never an error of its own."""

from types import SimpleNamespace

import pytest

from fairreport import DataError
from fairreport.tables.sql_engine_session import SparkEngine


def refused(_):
    raise RuntimeError("[TABLE_OR_VIEW_NOT_FOUND] the view is gone\nJVM stacktrace")


@pytest.mark.parametrize(
    "ask", [lambda engine: engine.arrow("SELECT 1"), lambda engine: list(engine.batches("SELECT 1"))]
)
def test_a_statement_that_spark_refuses_is_told_in_one_line(ask):
    session = SimpleNamespace(sql=refused, catalog=SimpleNamespace(dropTempView=refused))
    frame = SimpleNamespace(
        sparkSession=session, schema=SimpleNamespace(fields=[]), createOrReplaceTempView=lambda _: None
    )
    with pytest.raises(DataError, match=r"the view is gone") as error:
        ask(SparkEngine(frame))
    assert len(str(error.value).splitlines()) == 1
