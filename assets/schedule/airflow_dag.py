"""A weekly audit in Airflow: papermill runs the notebook, then its manifest says how the run ended.

`fairreport schedule examples notebook > scheduled_audit.ipynb` writes the notebook. It needs
apache-airflow-providers-papermill, and fairreport[pdf,schedule] where the kernel runs.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from airflow import DAG
from airflow.operators.bash import BashOperator
from airflow.providers.papermill.operators.papermill import PapermillOperator

AUDITS = "/srv/audits"
WINDOW_END = "{{ data_interval_end | ds }}"
OUT = f"{AUDITS}/reports/{WINDOW_END}"

with DAG(
    dag_id="weekly_audit",
    schedule="0 6 * * 1",
    start_date=datetime(2026, 1, 5, tzinfo=UTC),
    catchup=False,
    max_active_runs=1,  # runs share a history
) as dag:
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
    verdict = BashOperator(task_id="verdict", bash_command=f"fairreport schedule status {OUT}")

    audit >> verdict
