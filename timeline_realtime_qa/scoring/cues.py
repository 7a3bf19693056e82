"""The words by which models announce their answers, in several languages."""

from __future__ import annotations

import re


JSON_KEYS = frozenset(
    "answer choice final_answer finalanswer final option prediction label selected selection answer_choice "
    "correct_answer correct_option response result".split()
)

_NOUN = (
    r"(?:(?:final|correct|right|best|most likely|my|likely|short)\s+){0,3}(?:answer|choice|option|response|solution)"
    r"(?:\s+(?:to|for)\s+(?:the|this|your)\s+question)?"
)
_MUST = (
    r"(?:\s+(?:is|would be|should be|must be|seems to be|appears to be|will be|has to be)"
    r"(?:\s+likely|\s+probably)?\s*:?|(?:\s*\*+)?\s*[:：=]\**)"
)
_FOREIGN = "|".join(
    (
        r"(?:richtige |korrekte )?(?:antwort|lösung)(?: lautet| ist)?\s*:",
        r"(?:richtige |korrekte )?antwort (?:lautet|ist)",
        r"(?:bonne )?réponse (?:correcte )?est(?: la)?\s*:?|réponse\s*:",
        r"respuesta (?:correcta )?es(?: la)?\s*:?|respuesta\s*:",
        r"risposta (?:corretta )?è(?: la)?\s*:?|risposta\s*:",
        r"resposta (?:correta )?é(?: a)?\s*:?|resposta\s*:",
        r"antwoord(?: is)?\s*:|antwoord is",
        r"(?:正确|正確)?答案(?:是|为|為|應該是|应该是)?\s*:?|我?(?:选择|選擇|选|選)\s*:?",
        r"(?:答え|正解)\s*[は:]|(?:정답|답)(?:은|는)?\s*:?",
        r"(?:правильный )?ответ\s*[:—-]",
        r"(?:الإجابة|الجواب)(?: الصحيحة| الصحيح)?(?: هي| هو)?\s*:?|(?:सही )?उत्तर(?: है)?\s*:",
    )
)
_WILL = r"(?:['’]d|['’]ll|['’]m going to| would| will| have to| must)?\s+(?:probably\s+)?"
_PICK = (
    r"(?:choose|pick|select|go with|going with|opt for|say|answer with|answer|guess|vote for"
    r"|(?:believe|think)(?: that)?(?: it(?:['’]s| is))?)\s*:?"
)
_IT_IS = r"(?:it(?:['’]s| is| must be| would be| should be)|that(?:['’]s| is| would be)|this is|so it is)"
# A cue, after which the answer stands.
BEFORE = re.compile(
    rf"\b{_NOUN}{_MUST}|\bI{_WILL}{_PICK}|\b{_IT_IS}(?=\s+(?:\(?[A-Z0-9]\b|option|choice))|{_FOREIGN}", re.IGNORECASE
)
# What announces a short answer: no "I think", after which a sentence may follow.
ANSWER_CUES = re.compile(rf"\b{_NOUN}{_MUST}|{_FOREIGN}", re.IGNORECASE)
# A cue that stands behind its label: "B is correct".
AFTER = re.compile(
    r"(?<![\w'’])((?:option\s+|choice\s+|answer\s+)?[(\[【*]{0,4}[A-Z][)\]】*]{0,4})\s+"
    r"(?:is|seems|would be|must be|looks)(?:\s+the)?(?:\s+most)?\s+(?:correct|right|best|true|likely|accurate)\b"
)
DENIED = re.compile(
    r"\b(?:not|n[o']t|isn['’]?t|wasn['’]?t|cannot|can['’]?t|aren['’]?t|never|neither|nor|incorrect|wrong|except|unlikely"
    r"|instead of|rather than|nicht|kein|keine|ne|pas|non|não)\b|不是|并非|ではない|아니",
    re.IGNORECASE,
)
