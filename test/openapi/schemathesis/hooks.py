"""What Schemathesis needs to know beyond schemas/openapi.json: texts of the forms that it cannot make up, and which
refusals of valid requests the document cannot say."""

import json
import os
import re

import schemathesis
from hypothesis import strategies as st
from schemathesis.generation import GenerationMode

# By the `error_code` of the refusal: why the document calls the request valid all the same. Each was seen, in one of
# 5,000 requests with the seeds 1 to 3; another that turns up is added only with its reason.
UNSAYABLE = {
    "NO_SUCH_REFERENCE": "whether an id exists is known to the account alone",
    "NO_SUCH_PARENT": "whether an id exists is known to the account alone",
    "INVALID_PARAMETER": "before_id is an id that a list answered with",
    "ID_MISMATCH": "ids in a body repeat those of the path",
    "ID_OF_OTHER_KIND": "ids are opaque; the prefixes of other families are no part of a schema",
    "MATCH_TAKEN": "unique within the edge",
    "DOMAIN_TAKEN": "unique within the account",
    "REQUIRES_OTHER_FIELD": "null, empty text and an empty list count as left out",
    "EXACTLY_ONE_REQUIRED": "null counts as left out",
    "CONFLICTING_MODULES": "two enabled modules of several",
    "MISSING_WEBHOOK_SECRET": "depends on the provider",
    "MIN_VERSION_WITH_UPSTREAM_TLS": "depends on terminate_at",
    "UNSUPPORTED_WITH_UPSTREAM_TLS": "depends on what the edge has",
    "INVALID_FORMAT": "in JSON Schema, lower case of all alphabets is no pattern; letters that are not ASCII fail",
    "UPDATE_NOT_AVAILABLE": "depends on the agent",
    "UPDATE_DISABLED": "depends on the agent",
    "UPDATE_IN_PROGRESS": "depends on the agent",
    "RESTART_NOT_SUPPORTED": "depends on the agent",
}

# Of these, only refusals whose every sentence is like this: a second mistake may be one of REQUIRES_OTHER_FIELD.
SENTENCES = {"INVALID_FORMAT": r".* must be lower case|.* requires `\w+`"}


def examples(value, found):
    """The examples of every format, as the document has them."""
    if isinstance(value, dict):
        if isinstance(value.get("format"), str) and "examples" in value:
            found.setdefault(value["format"], set()).update(value["examples"])
        for item in value.values():
            examples(item, found)
    elif isinstance(value, list):
        for item in value:
            examples(item, found)
    return found


with open(os.environ["OPENAPI_DOCUMENT"], encoding="utf-8") as file:
    for name, texts in examples(json.load(file), {}).items():
        schemathesis.openapi.format(name, st.sampled_from(sorted(texts)))


@schemathesis.hook
def filter_query(ctx, query):
    """An empty parameter counts as left out, so it is no mistake that has to be refused."""
    return not isinstance(query, dict) or "" not in query.values()


@schemathesis.check
def valid_requests_are_accepted(ctx, response, case):
    """A request that the document calls valid is refused only for what the document cannot say."""
    meta = case.meta
    if meta is None or meta.generation.mode != GenerationMode.POSITIVE or response.status_code != 400:
        return
    code = response.json().get("error_code")
    msg = response.json().get("msg")
    sentences = msg.rstrip(".").split(". ")
    known = code in UNSAYABLE and all(re.fullmatch(SENTENCES.get(code, ".*"), one, re.DOTALL) for one in sentences)
    assert known, f"the document calls valid what is refused with {code}: {msg}"
