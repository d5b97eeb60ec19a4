"""BME-HAS: the configurations on record, what it learns, and when its training ends."""

from pathlib import Path

import pytest

from kasu.base.errors import KasuError
from kasu.cloze.data.datasets import write_dataset
from kasu.cloze.data.items import every_word, read_items
from kasu.cloze.data.names import SETTINGS
from kasu.cloze.data.sentences import read_training
from kasu.cloze.systems import bme_has
from kasu.cloze.systems.bme_has import Settings, settle
from kasu.files.tables import read_tsv, write_tsv
from kasu.neural.stopping import Ratio, Window
from kasu.transduction.items import Context, Item, Token
from kasu.transduction.members.families import Data, Run, Session

PUBLISHED = Path(__file__).resolve().parents[3] / "resources/published"
SMALL = str(Path(__file__).parent / "configurations.tsv")
TOKENS = [
    Token("Die", "die", ("DET",)), Token(None, "Hund", ()), Token(None, "bellen", ()),
    Token(".", None, ("PUNCT",)),
]  # fmt: skip
HIDDEN = [
    Item("Hund", (), "Hunde", Context(TOKENS, 1)), Item("bellen", (), "bellen", Context(TOKENS, 2)),
]  # fmt: skip

# Batch, size, layers, dropout and window (0: the ratio) of section 4.6 of the specification
TRACK_1 = {
    "de": ("32 256 1 0.0 5", "16 256 1 0.4 0", "16 256 2 0.2 5"),
    "en": ("16 256 1 0.4 0", "32 256 1 0.0 5", "32 256 1 0.0 5"),
    "es": ("16 256 1 0.4 0", "16 256 2 0.2 5", "16 128 1 0.0 0"),
    "fi": ("16 256 2 0.2 5", "16 256 1 0.4 0", "16 256 2 0.2 5"),
    "fr": ("16 256 1 0.4 0", "8 64 2 0.2 10", "16 128 1 0.0 0"),
    "ru": ("16 256 1 0.4 0", "16 128 1 0.0 0", "16 256 2 0.2 5"),
    "sv": ("16 256 1 0.4 0", "32 256 1 0.0 5", "32 256 1 0.0 5"),
}


def configuration(language, setting, **settings):
    return settle(Settings(**settings), language, setting, 1)


@pytest.mark.parametrize("language", TRACK_1)
def test_track_1_has_the_configurations_of_the_authors(language):
    for size, stated in zip(("low", "medium", "high"), TRACK_1[language], strict=True):
        found = configuration(language, f"track1-{size}")
        window = found.window or 0
        assert f"{found.batch} {found.words[0]} {found.words[1]} {found.dropout} {window}" == stated
        french = (language, size) == ("fr", "medium")
        decoder = (64, 1) if french else found.words
        assert (found.characters, found.decoder) == (30 if french else 40, decoder)
        assert (found.tags, found.tag_layers) == (20, (128, 1 if french else found.words[1]))
        assert (found.context, found.epochs) == (found.words, 200)


def test_track_2_has_two_layers_in_some_cells_and_windows_everywhere():
    cells = bme_has.read_configurations(Settings().configurations)
    assert len(cells) == 42
    second = {cell: found for cell, found in cells.items() if cell[1].startswith("track2")}
    two = {"low": "de en es fi fr sv", "medium": "de en fr", "high": "fi"}
    deep = {(name, f"track2-{size}") for size in two for name in two[size].split()}
    assert {cell for cell, found in second.items() if found.words == (256, 2)} == deep
    short = {("en", "low"), ("en", "medium"), ("fi", "high"), ("fr", "medium")}
    for (language, setting), found in second.items():
        size = setting.partition("-")[2]
        assert found.window == (5 if (language, size) in short else 10)
        assert (found.batch, found.characters, found.dropout) == (32, 50, 0.2)
        assert found.decoder == found.context == found.words


def test_half_of_track_1_was_stopped_by_the_ratio_of_losses():
    cells = bme_has.read_configurations(Settings().configurations)
    windows = [found.window for cell, found in cells.items() if cell[1].startswith("track1")]
    assert (len(windows), windows.count(None)) == (21, 10)


def test_two_unlike_programs_have_nearly_the_same_figures_at_low():
    rows = read_tsv(PUBLISHED / "sigmorphon2018_task2_per_language.tsv")
    shown = {(row["system"], row["condition"]): float(row["value"]) for row in rows}
    differences = [
        shown["bme-has", f"track1|original|low|{language}"]
        - shown["cuboulder-2", f"track1|original|low|{language}"]
        for language in TRACK_1
    ]
    assert (sum(each**2 for each in differences) / 7) ** 0.5 == pytest.approx(1.6, abs=0.05)


def test_a_language_without_a_record_has_the_usual_configuration():
    assert configuration("ka", "track1-low") == configuration("fr", "track1-low")
    assert configuration("ka", "track1-low", epochs=3, dev_sentences=7)[-2:] == (3, 7)


def test_the_network_has_the_sizes_on_record():
    alphabets = bme_has.symbols(HIDDEN)
    made = bme_has.network(
        *alphabets, "track1-medium", configuration("fr", "track1-medium"), "window"
    )
    words, tags = made.words.characters, made.words.tags
    assert [(each.network.size, len(each.network.layers)) for each in (words, tags)] == [
        (64, 2), (128, 1),
    ]  # fmt: skip
    assert [table.table.embedding_dim for table in (words, tags)] == [30, 20]
    assert [(each.size, len(each.layers)) for each in made.context] == [(64, 2)] * 2
    assert made.context[0].layers[0].kernel.input_size == 64 + 64 + 128
    assert (made.decoder.cell.size, len(made.decoder.cell.layers)) == (64, 1)
    assert (made.dropout, made.together) == (0.2, 8)
    second = bme_has.network(*alphabets, "track2-low", configuration("ru", "track2-low"), "window")
    assert (second.words.width, second.words.tags, second.full) == (256, None, False)


@pytest.mark.parametrize(
    ("language", "setting", "variant", "stop"),
    [
        ("fr", "track1-medium", "window", Window(10, 21, 200)),
        ("fr", "track1-medium", "ratio", Ratio(1.5, 200)),
        ("fr", "track1-low", "window", Ratio(1.5, 200)),
        ("en", "track2-low", "window", Window(5, 11, 200)),
    ],
)
def test_a_window_or_the_ratio_of_losses_ends_a_training(language, setting, variant, stop):
    data = Data(language, setting, HIDDEN, HIDDEN, [])
    recipe = bme_has.recipe(data, configuration(language, setting), variant)
    assert (recipe.stop, recipe.measure, recipe.shuffled) == (stop, "loss", False)
    assert len(recipe.validated) == (4 if setting.startswith("track1") else 2)


def test_answers_are_asked_with_hidden_forms():
    data = Data("de", "track1-low", HIDDEN, HIDDEN, [HIDDEN[0]._replace(target=None)])
    prepared = bme_has.prepare(data)
    assert len(prepared.train) == 4
    assert (prepared.dev, prepared.test) == (data.dev, data.test)


def test_the_loss_is_measured_on_some_sentences():
    sentences = [[Token(None, "x", ())] for _ in range(9)]
    dev = [Item("x", (), "y", Context(tokens, 0)) for tokens in sentences]
    data = Data("fr", "track1-low", HIDDEN, dev, [])
    first, again = (
        bme_has.recipe(data, configuration("fr", "track1-low", dev_sentences=4), variant).validated
        for variant in bme_has.VARIANTS
    )
    assert (len(first), first) == (4, again)


def test_it_was_submitted_in_all_settings():
    assert dict.fromkeys(SETTINGS, 1) == bme_has.FAMILY.members
    assert set(bme_has.FAMILY.submissions) == {"bme-has"}


@pytest.mark.parametrize(
    ("column", "value", "line"),
    [
        ("batch_size", "many", "invalid literal for int() with base 10: 'many'; expected sizes as "
         "numbers"),
        ("tag_num_layers", "", "invalid literal for int() with base 10: ''; expected sizes as "
         "numbers"),
        ("word_hidden_size", "0", "word_hidden_size 0; expected 1 or more"),
        ("early_stopping_window", "-1", "early_stopping_window -1; expected 1 or more"),
        ("dropout", "1", "dropout 1.0; expected 0 or more, below 1"),
        ("dropout", "nan", "dropout nan; expected 0 or more, below 1"),
        ("decoder_num_layers", "3", "decoder_num_layers 3; expected 2 or less, twice "
         "word_num_layers"),
    ],
)  # fmt: skip
def test_a_wrong_value_is_one_line(tmp_path, column, value, line):
    path = tmp_path / "wrong.tsv"
    rows = read_tsv(SMALL)
    rows[1][column] = value
    write_tsv(path, rows, list(rows[0]))
    with pytest.raises(KasuError) as raised:
        bme_has.read_configurations(str(path))
    assert str(raised.value) == f"{path}:3: {line}"


def test_a_record_without_the_setting_is_one_line():
    with pytest.raises(
        KasuError, match=r"configurations.tsv: no setting track1-high; expected one of track1-low, "
    ):
        configuration("toy", "track1-high", configurations=SMALL)


WINDOW, RATIO = Run("window", 1), Run("ratio", 1)


def train(folder, setting, runs, test, epochs=1):
    data = Data("toy", setting, HIDDEN, HIDDEN, test)
    options = {"configurations": SMALL, "epochs": epochs}
    return bme_has.FAMILY.train(data, runs, options, Session(folder))


@pytest.mark.parametrize("setting", ["track1-medium", "track2-medium"])
def test_long_sentences_and_hidden_neighbours_have_answers(tmp_path, setting, expect_answers):
    words = [Token("w" * (at % 5 + 1), "w", ("N",)) for at in range(500)]
    asked = [*HIDDEN, Item("w", (), None, Context(words, 250))]
    found = train(tmp_path, setting, [WINDOW], asked)
    expect_answers(found[WINDOW], HIDDEN, asked)


def test_both_variants_are_trained(tmp_path):
    found = train(tmp_path, "track2-low", [WINDOW, RATIO], HIDDEN)
    assert found[WINDOW] == found[RATIO]  # of one epoch, which nothing has stopped
    assert len([*tmp_path.glob("*.pt")]) == 2


@pytest.mark.parametrize("track", ["track1", "track2"])
def test_the_word_before_decides(share_right, track):
    options = {"configurations": SMALL, "epochs": 5 if track == "track1" else 8}
    assert share_right("bme_has", options, track, "window") > 0.8


FIRST = {"de": "KN", "en": ("-", "PUNCT"), "es": ("s", "PRO"), "fi": ("I", "ADJ"), "fr": "cN",
         "ru": "вN", "sv": "bN"}  # fmt: skip


@pytest.mark.parametrize("language", FIRST)
def test_unknown_symbols_are_read_as_the_first_of_the_training_file(mirror, tmp_path, language):
    folder = mirror / "sigmorphon2018/task2/trainsets"
    files = {
        size: read_training(folder / f"{language}-track1-{size}") for size in ("low", "medium")
    }
    if language != "fr":  # one of seven at medium: the files of the others are as large
        del files["medium"]
    write_dataset(tmp_path, files, language=language, sources=[])
    for size in files:
        items = read_items(tmp_path / f"{size}.parquet", "track1", covered=False)
        learnt = every_word(items, tagged=True)
        (characters, tags), _ = bme_has.symbols(learnt)
        assert (characters.first, tags.first) == tuple(FIRST[language])
        if (language, size) == ("fr", "low"):
            assert (len(items), len(learnt)) == (367, 1016)
            assert characters.encode("ñ") == characters.encode("c")
            assert tags.encode(["_"]) == tags.encode(["N"])
            batch = configuration("fr", "track1-low").batch
            assert -(-len(learnt) // batch) == 64
