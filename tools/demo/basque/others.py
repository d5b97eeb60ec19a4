"""Pages of the demo dump other than its articles: redirects, stubs, other namespaces."""

from articles import Article

NAMESPACES = {
    -2: "Media", -1: "Berezi", 0: "", 1: "Eztabaida", 2: "Lankide", 3: "Lankide eztabaida",
    4: "Wikipedia", 5: "Wikipedia eztabaida", 6: "Fitxategi", 7: "Fitxategi eztabaida",
    8: "MediaWiki", 9: "MediaWiki eztabaida", 10: "Txantiloi", 11: "Txantiloi eztabaida",
    12: "Laguntza", 13: "Laguntza eztabaida", 14: "Kategoria", 15: "Kategoria eztabaida",
    100: "Atari", 101: "Atari eztabaida", 828: "Modulu", 829: "Modulu eztabaida",
}  # fmt: skip


def redirects(articles: list[Article]) -> list[tuple[str, str]]:
    """Titles and targets of redirects: every tenth article has a second name."""
    return [(f"{article.title} (argipena)", article.title) for article in articles[::10]]


def _stubs() -> dict[str, str]:
    """Articles like those that bots write, by title."""
    stubs = {}
    for year in (1412, 1533, 1687, 1702, 1758, 1799):
        stubs[str(year)] = (
            f"{{{{Urtea|{year}}}}}\n'''{year}. urtea''' egutegi gregorianoaren urte arrunt bat "
            f"izan zen.\n\n== Gertaerak ==\n* ...\n\n[[Kategoria:{year // 100 + 1}. mendea]]"
        )
    for name in ("verdalis", "minuta", "borealis", "kasuensis", "demonis"):
        stubs[f"Silvaria {name}"] = (
            f"{{{{Taxotaula|Silvaria {name}}}}}\n'''''Silvaria {name}''''' intsektu espezie bat "
            "da, [[Silvariidae]] familiakoa.\n\n{{intsektu zirriborroa}}"
        )
    for name, people in (
        ("Vallonne", 212),
        ("Montrieu", 98),
        ("Sablette", 1430),
        ("Courbeille", 655),
        ("Larmont", 77),
    ):
        stubs[name] = (
            f"{{{{Frantziako udalerri infotaula|izena={name}}}}}\n'''{name}''' [[Frantzia]]ko "
            f"udalerria da. {people} biztanle zituen 2009an.\n\n[[Kategoria:Frantziako udalerriak]]"
        )
    for number, name in (
        (90101, "Otsailaz"),
        (90202, "Urtxori"),
        (90303, "Arrats"),
        (90404, "Ilargia"),
    ):
        stubs[f"{number} {name}"] = (
            f"'''{number} {name}''' asteroide gerrikoko asteroide bat da. 1998an aurkitu zuten.\n\n"
            "{{asteroide zirriborroa}}"
        )
    return stubs


STUBS = _stubs()

# Nothing that opens here is closed
BROKEN = (
    "Amaitu gabeko orria",
    0,
    "{{Herri infotaula\n| izena = {{PAGENAME\n| irudia = [[Fitxategi:Orria.jpg|thumb|Orria\n"
    '{| class="wikitable\n! Urtea !! [[Biztanle\n|-\n| 1900 || {{unitatea|12\n'
    "'''Orria'''' ez dago amaituta<ref name=\"bat>{{erreferentzia|izenburua=''Liburua\n"
    "== Historia =\n<gallery>\n[[Fitxategi:Bat.jpg|{{{1|<!-- inork ez du itxi\n",
)

OTHERS = (
    (1, "Ogi", "== Izenburua ==\nNire ustez, izenburua aldatu behar dugu. --[[Lankide:Kasu|Kasu]]"),
    (1, "Arbieta", "{{Eztabaida}}\nNoiz eraiki zuten eliza?"),
    (1, "Gazta", "Irudi bat falta da."),
    (2, "Kasu", "Kaixo, ni Kasu naiz."),
    (2, "Kasu/Proba orria", '{| class="wikitable"\n| proba\n|}'),
    (3, "Kasu", "Ongi etorri! [[Wikipedia:Bost zutabeak]]"),
    (4, "Bost zutabeak", "# Wikipedia entziklopedia bat da.\n# Wikipediak ez du arau zurrunik."),
    (4, "Txokoa", "== Galdera ==\nNola sortzen da txantiloi bat?"),
    (6, "Arbieta.jpg", "{{Information|description=Arbietako plaza|author=Kasu}}\n{{cc0}}"),
    (6, "Zaldi 1.jpg", "{{cc0}}"),
    (8, "Sidebar", "* navigation\n** mainpage|mainpage-description"),
    (10, "Erreferentzia", "<includeonly>''{{{izenburua}}}'', {{{urtea|}}}</includeonly>"),
    (10, "Erreferentzia zerrenda", "<references />"),
    (10, "Herri infotaula", '{| class="infobox"\n! {{{izena}}}\n|-\n| {{{biztanleria|}}}\n|}'),
    (10, "Biografia infotaula", '{| class="infobox"\n! {{{izena}}}\n|}'),
    (10, "Unitatea", "{{#invoke:Unitatea|idatzi|{{{1}}}|{{{2}}}}}"),
    (12, "Edizioa", "Orri honek edizioa azaltzen du."),
    (14, "Herriak", "[[Kategoria:Gauzak eta animaliak]]"),
    (14, "Ibaiak", "{{Commonscat|Rivers}}"),
    (14, "Mendiak", ""),
    (14, "Pertsonak", "Pertsonen kategoria."),
    (100, "Nekazaritza", "{{Atari|Nekazaritza}}"),
    (
        828,
        "Unitatea",
        "local p = {}\nfunction p.idatzi(frame)\n  return frame.args[1]\nend\nreturn p",
    ),
)
