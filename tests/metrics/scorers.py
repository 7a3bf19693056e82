"""What tests take from the modules of the metrics: by the names that are installed, and for mypy where they lie."""

from __future__ import annotations

from typing import TYPE_CHECKING


if TYPE_CHECKING:
    from metrics.denotation_accuracy.denotation_accuracy import DenotationAccuracy
    from metrics.denotation_accuracy.lenient import items
    from metrics.denotation_accuracy.reading import Memo, read
    from metrics.denotation_accuracy.wtq import normalize
    from metrics.evidence_retrieval.evidence_retrieval import EvidenceRetrieval
    from metrics.nota_accuracy.nota_accuracy import NotaAccuracy
    from metrics.qa_em_f1.normalize import TokenMemo, realtimeqa_tokens, squad_tokens
    from metrics.qa_em_f1.qa_em_f1 import QaEmF1
else:
    from timeline_realtime_qa.denotation_accuracy.denotation_accuracy import DenotationAccuracy
    from timeline_realtime_qa.denotation_accuracy.lenient import items
    from timeline_realtime_qa.denotation_accuracy.reading import Memo, read
    from timeline_realtime_qa.denotation_accuracy.wtq import normalize
    from timeline_realtime_qa.evidence_retrieval.evidence_retrieval import EvidenceRetrieval
    from timeline_realtime_qa.nota_accuracy.nota_accuracy import NotaAccuracy
    from timeline_realtime_qa.qa_em_f1.normalize import TokenMemo, realtimeqa_tokens, squad_tokens
    from timeline_realtime_qa.qa_em_f1.qa_em_f1 import QaEmF1

__all__ = [
    "DenotationAccuracy",
    "EvidenceRetrieval",
    "Memo",
    "NotaAccuracy",
    "QaEmF1",
    "TokenMemo",
    "items",
    "normalize",
    "read",
    "realtimeqa_tokens",
    "squad_tokens",
]
