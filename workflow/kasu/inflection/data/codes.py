"""The codes of the languages of the task (ISO 639-1, else 639-3), for dataset cards."""

CODES = {
    "adyghe": "ady", "albanian": "sq", "arabic": "ar", "armenian": "hy", "asturian": "ast",
    "azeri": "az", "bashkir": "ba", "basque": "eu", "belarusian": "be", "bengali": "bn",
    "breton": "br", "bulgarian": "bg", "catalan": "ca", "classical-syriac": "syc", "cornish": "kw",
    "crimean-tatar": "crh", "czech": "cs", "danish": "da", "dutch": "nl", "english": "en",
    "estonian": "et", "faroese": "fo", "finnish": "fi", "french": "fr", "friulian": "fur",
    "galician": "gl", "georgian": "ka", "german": "de", "greek": "el", "greenlandic": "kl",
    "haida": "hai", "hebrew": "he", "hindi": "hi", "hungarian": "hu", "icelandic": "is",
    "ingrian": "izh", "irish": "ga", "italian": "it", "kabardian": "kbd", "kannada": "kn",
    "karelian": "krl", "kashubian": "csb", "kazakh": "kk", "khakas": "kjh", "khaling": "klr",
    "kurmanji": "kmr", "ladin": "lld", "latin": "la", "latvian": "lv", "lithuanian": "lt",
    "livonian": "liv", "lower-sorbian": "dsb", "macedonian": "mk", "maltese": "mt",
    "mapudungun": "arn", "middle-french": "frm", "middle-high-german": "gmh",
    "middle-low-german": "gml", "murrinhpatha": "mwf", "navajo": "nv", "neapolitan": "nap",
    "norman": "nrf", "north-frisian": "frr", "northern-sami": "se", "norwegian-bokmaal": "nb",
    "norwegian-nynorsk": "nn", "occitan": "oc", "old-armenian": "xcl", "old-church-slavonic": "cu",
    "old-english": "ang", "old-french": "fro", "old-irish": "sga", "old-saxon": "osx",
    "pashto": "ps", "persian": "fa", "polish": "pl", "portuguese": "pt", "quechua": "qu",
    "romanian": "ro", "russian": "ru", "sanskrit": "sa", "scottish-gaelic": "gd",
    "serbo-croatian": "hbs", "slovak": "sk", "slovene": "sl", "sorani": "ckb", "spanish": "es",
    "swahili": "sw", "swedish": "sv", "tatar": "tt", "telugu": "te", "tibetan": "bo",
    "turkish": "tr", "turkmen": "tk", "ukrainian": "uk", "urdu": "ur", "uzbek": "uz",
    "venetian": "vec", "votic": "vot", "welsh": "cy", "west-frisian": "fy", "yiddish": "yi",
    "zulu": "zu",
}  # fmt: skip
"""The code of each released language. `sh`, once the code of Serbo-Croatian, is withdrawn."""
