"""A weekly audit in Airflow: papermill runs the notebook, then its manifest says how the run ended.

`fairreport schedule examples notebook > scheduled_audit.ipynb` writes the notebook. It needs
apache-airflow-providers-papermill, and fairreport[pdf,schedule] where the kernel runs.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from airflow import DAG
from airflow.providers.papermill.operators.papermill import PapermillOperator

try:
    from airflow.providers.standard.operators.bash import BashOperator  # Airflow 3
except ImportError:
    from airflow.operators.bash import BashOperator

AUDITS = "/srv/audits"
WINDOW_END = "{{ data_interval_end | ds }}"  # the Monday on which the DAG runs: its midnight, UTC
OUT = f"{AUDITS}/reports/{WINDOW_END}"

with DAG(
    dag_id="weekly_audit",
    schedule="0 6 * * 1",
    start_date=datetime(2026, 1, 5, tzinfo=UTC),
    catchup=False,
    max_active_runs=1,  # runs share a history
) as dag:
    # papermill makes no folder; and an earlier attempt at this week must not speak for this one.
    prepare = BashOperator(task_id="prepare", bash_command=f"mkdir -p {AUDITS}/executed && rm -f {OUT}/manifest.json")
    audit = PapermillOperator(
        task_id="audit",
        input_nb=f"{AUDITS}/scheduled_audit.ipynb",
        output_nb=f"{AUDITS}/executed/{WINDOW_END}.ipynb",
        kernel_name="python3",
        retries=1,
        retry_delay=timedelta(minutes=10),
        parameters={
            "config": f"{AUDITS}/audit.yaml",
            "out": OUT,
            "window_end": WINDOW_END,
            "history": f"{AUDITS}/history.duckdb",
        },
    )
    # 0 where every test passes; 1, 3 and 4 as of `fairreport run`; 70 where the notebook did not come to its end.
    # Last and run in any case, so that what it says is what the DAG says.
    verdict = BashOperator(task_id="verdict", bash_command=f"fairreport schedule status {OUT}", trigger_rule="all_done")

    prepare >> audit >> verdict
