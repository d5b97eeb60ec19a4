"""Texts of items as tokens, checked against what a model can take."""

import itertools
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from kasu.base.errors import KasuError
from kasu.job.run import log
from kasu.lm import CAUSAL, MASKED
from kasu.lm.models.definitions import DEFINITIONS, WORD, Definition, Text
from kasu.lm.models.language_model import BLANK, LanguageModel
from kasu.lm.models.networks import expect_tokens
from kasu.lm.scoring.items import MASK, ItemText


class EncodedText(NamedTuple):
    """A text of an item, as tokens.

    longest: the number of tokens of its longest context.
    tokens: the number of tokens of all its contexts.
    """

    item: ItemText
    text: Text
    longest: int
    tokens: int


def encode_items(
    model: LanguageModel,
    items: Sequence[ItemText],
    definition: str,
    too_long: str,
    dropped: Counter[str],
) -> list[EncodedText]:
    """Tokenise items.

    Args:
        too_long: `drop` leaves out items with a text longer than the model can take, and counts
            them in `dropped`; `error` refuses them.

    Raises:
        KasuError: the model has no mask token; an item lacks a place for its form, has no token
            that is scored, is too long, has a token that the network lacks, or a mask token of its
            own, which the tokenizer cannot read as text; no word of any item is known.
    """
    rule = DEFINITIONS[definition]
    if rule.kind == MASKED and model.mask is None:
        raise KasuError(model.name, f"no mask token, which {definition} needs", "a masked model")
    entries = []
    for name, texts in itertools.groupby(items, key=lambda item: item.item_id):
        encoded = [_encode(model, item, rule, definition) for item in texts]
        longest = max(encoded, key=lambda entry: entry.longest)
        if longest.longest <= model.max_length:
            entries += encoded
        elif too_long == "drop":
            dropped[f"{definition}: longer than the model"] += 1
        else:
            raise KasuError(
                f"item {name}, {longest.item.column}",
                f"{longest.longest} tokens under {definition}",
                f"{model.max_length} at most, or too_long: drop",
            )
    _expect_words(model, entries)
    begins = all(entry.text.special[0] for entry in entries)
    if rule.kind == CAUSAL and rule.special_tokens and not begins:
        log.warning("%s: no token marks the beginning, so first tokens are not scored", model.name)
    if shared := sum(entry.text.shared for entry in entries):
        log.info(
            "%s: %d of %d forms share a token with the text beside them, which is scored with it",
            definition, shared, len(entries),
        )  # fmt: skip
    return entries


def _expect_words(model: LanguageModel, entries: Sequence[EncodedText]) -> None:
    """Refuse items of which the tokenizer knows no word, but at most signs and numbers."""
    used = {token for entry in entries for token in (*own_tokens(entry.text), *entry.text.target)}
    known = model.tokenizer.convert_ids_to_tokens(sorted(used - {model.unknown, model.mask}))
    if model.unknown in used and not any(map(str.isalpha, "".join(known))):
        found = f"its tokenizer knows no word of the items, such as {entries[0].item.sentence!r}"
        raise KasuError(model.name, found, "a tokenizer and items of one language")


def _encode(model: LanguageModel, item: ItemText, rule: Definition, definition: str) -> EncodedText:
    where = f"item {item.item_id}, {item.column}"
    if rule.level == WORD:
        text = _encode_form(model, item, rule, where, definition)
    else:
        text = model.encode(item.sentence, rule.special_tokens, rule.within_words)
    scored = text.target if rule.level == WORD else own_tokens(text)
    if not scored:
        raise KasuError(where, "tokenises to nothing", "a token at least")
    masks = text.ids.count(model.mask) + text.target.count(model.mask)
    if rule.kind == MASKED and masks != (expected := int(rule.level == WORD)):
        raise KasuError(where, f"{masks} mask tokens", f"{expected or 'none'}")
    masked = [model.mask] if rule.kind == MASKED else []
    expect_tokens(where, (*text.ids, *text.target, *masked), model.rows, model.tokenizer)
    lengths = [len(query.ids) for query in rule.queries(text, model.mask)]
    if not lengths:
        # Its score would be 0, better than that of any other text
        found = f"one token, with none before it from which {definition} could predict it"
        raise KasuError(where, found, "two tokens or more")
    return EncodedText(item, text, max(lengths), sum(lengths))


def _encode_form(
    model: LanguageModel, item: ItemText, rule: Definition, where: str, definition: str
) -> Text:
    if item.masked is None or item.form is None:
        raise KasuError(where, f"a whole sentence under {definition}", f"{MASK} and forms")
    if rule.form_alone:
        text = model.encode(item.masked.replace(MASK, BLANK), rule.special_tokens)
        form = model.encode(item.form, special_tokens=False)
        return text._replace(target=form.ids, lost=form.lost)
    before, _, after = item.masked.partition(MASK)
    return model.encode_form(before, item.form, after, rule.special_tokens)


def own_tokens(text: Text) -> tuple[int, ...]:
    """Return the tokens of a text without those that the tokenizer adds."""
    return tuple(
        token for token, special in zip(text.ids, text.special, strict=True) if not special
    )
