"""Every name we add to `datasets` and `evaluate`, and the module that stands behind it."""

from __future__ import annotations


DATASETS = {
    "realtimeqa": "realtimeqa_ds.builder",
    "timelineqa": "timelineqa_ds.builder",
}
METRICS = {
    "denotation_accuracy": "timeline_realtime_qa.denotation_accuracy.denotation_accuracy",
    "evidence_retrieval": "timeline_realtime_qa.evidence_retrieval.evidence_retrieval",
    "nota_accuracy": "timeline_realtime_qa.nota_accuracy.nota_accuracy",
    "qa_em_f1": "timeline_realtime_qa.qa_em_f1.qa_em_f1",
}
