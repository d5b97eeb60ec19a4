"""What articles say about their subject: marked sentences with fields, by kind of article.

Fields are names or noun phrases (`{T.A}` is the title in the absolutive, `{P.ine}` its place in the
inessive; see articles.Form) or plain text. An article uses one sentence of each group.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Kind:
    """A kind of article: the noun for its subject, its themes, facts in order, and history."""

    noun: str
    themes: tuple[str, ...]
    facts: tuple[tuple[str, ...], ...]
    history: tuple[str, ...]


_TOWN = (
    (
        "gaur egun {N} biztanle~A.ind ditu~V,E.s:pro-drop",
        "herrian {N} herritar~A.ind bizi dira~V",
        "{T.E}~E.name {N} biztanle~A.ind ditu~V eta {num2} eskola~2A.ind dauzka~2V,E.s:shared",
        "{Y2.ine} {N} herritar~A.ind bizi ziren~V herrian",
    ),
    (
        "udaletxea~A.sg eta eliza~A.sg plazan daude~V",
        "herriak~E.sg {num} iturri~A.ind eta {num2} zubi~A.ind ditu~V",
        "{T.gel} kaleak~A.pl {adjs} dira~V",
        "{T.gel} etxeak~A.pl {adjs} dira~V eta plaza~2A.sg {adj} da~2V",
        "herriko eskola~A.sg eta denda~A.sg {R.A} ibaiaren ondoan daude~V",
    ),
    (
        "jaiak~A.pl {month.ine} ospatzen dira~V",
        "{month.ine} hasten dira~V jaiak~A.pl, eta herritar guztiek~2E.pl kantak~2A.pl abesten "
        "dituzte~2V",
        "herritarrei~D.pl {hobby}~A.sg gustatzen zaie~V",
    ),
)
_TOWN_HISTORY = (
    "{Y.ine} {who.E}~E.name herriko lehenengo eskola~A.sg sortu zuen~V",
    "herriko eliza~A.sg {Y.ine} eraiki zuten~V,E.p:impersonal",
    "{Y.gel} uholdeak~E.sg {num} etxe~A.ind eraman zituen~V",
    "{Y2.gel} gerran etxe asko~A.ind erre ziren~V",
    "{who.A} idazlea~A.sg {T.ine} jaio zen~V eta {Y2.ine} hil zen~2V,A.s:shared",
    "{Y.ine} herritarrek~E.pl udaletxea~A.sg eraiki zuten~V",
    "{Y2.ine} trena~A.sg iritsi zen~V herrira",
    "{who.E}~E.name {Y.ine} herriaren historia~A.sg idatzi zuen~V",
    "{who.E}~E.name herriari~D.sg {num} liburu~A.ind eman zizkion~V {Y2.ine}",
)
_FOUNDED = (
    "{K}~A.sg {Y.ine} sortu zuten~V,E.p:impersonal",
    "{P.gel} udalak~E.sg {Y.ine} sortu zuen~V,A.s:pro-drop",
    "{Y.ine} ireki zuten~V,E.p:impersonal,A.s:pro-drop, eta laster ezaguna izan zen~2V,A.s:shared",
    "{who.E}~E.name {Y.ine} sortu zuen~V,A.s:pro-drop",
    "{who.E}~E.name eta {who2.E}~E.name {Y.ine} sortu zuten~V,A.s:pro-drop",
)
_INSTITUTION_HISTORY = (
    "{Y2.ine} erre zen~V,A.s:pro-drop, baina herritarrek~2E.pl berehala konpondu "
    "zuten~2V,A.s:shared",
    "{Y2.ine} langileek~E.pl {K}~A.sg konpondu zuten~V",
    "{Y2.ine} {num} gela~A.ind eraiki zituzten~V,E.p:impersonal",
    "{P.gel} udalak~E.sg {Y2.ine} erosi zuen~V,A.s:pro-drop",
    "{who.E}~E.name {Y2.ine} {K}~A.sg bisitatu zuen~V eta hainbat argazki~2A.ind egin "
    "zituen~2V,E.s:shared",
    "{Y2.gel} uholdeak~E.sg bi gela~A.ind eraman zituen~V",
    "{who.E}~E.name udalari~D.sg {num} koadro~A.ind eman zizkion~V {Y2.ine}",
)
_OUTDOORS_HISTORY = (
    "{Y2.ine} langileek~E.pl {K}~A.sg konpondu zuten~V",
    "{P.gel} udalak~E.sg {Y2.ine} {K}~A.sg handitu zuen~V",
    "{Y2.gel} jaietan herritarrek~E.pl hemen {num} kanta~A.ind abestu zituzten~V",
    "{who.E}~E.name {Y2.ine} {K}~A.sg margotu zuen~V eta koadroa~2A.sg udalari~2D.sg eman "
    "zion~2V,E.s:shared",
)


def _institution(noun: str, themes: str, people: str, *facts: str) -> Kind:
    """A kind of institution; `people` is the noun for those in it (or of its parts)."""
    about = (
        f"{{T.A}}~A.sg {{P.ine}} dagoen~2V,A.s:relative-head {noun} {{q}} bat da~V",
        "{T.A}~A.sg herriko plazaren ondoan dago~V eta oso ezaguna da~2V,A.s:shared",
        f"{{T.A}}~A.sg inguruko {noun} zaharrena da~V",
        "{T.A}~A.sg {R.A} ibaiaren ondoan dago~V",
    )
    size = (
        f"gaur egun {{N2}} {people}~A.ind ditu~V,E.s:pro-drop",
        f"{{Y2.ine}} {{N2}} {people}~A.ind zituen~V,E.s:pro-drop",
    )
    history = _OUTDOORS_HISTORY if noun in ("azoka", "parke", "zubi") else _INSTITUTION_HISTORY
    return Kind(noun, tuple(themes.split()), (about, _FOUNDED, size, facts), history)


KINDS = {
    "town": Kind(
        "herri",
        ("town", "hall", "market", "farm"),
        (
            (
                "{T.A}~A.name {R.A} ibaiaren ondoan dagoen~2V,A.s:relative-head herri {q} bat da~V",
                "{T.A}~A.name {M.A} mendiaren oinean dagoen~2V,A.s:relative-head herria da~V",
                "{T.A}~A.name {R.A} ibaiaren eskualdeko herri {q} bat da~V",
                "{T.A}~A.name herri {q} bat da~V eta {M.A} mendiaren ondoan dago~2V,A.s:shared",
            ),
            *_TOWN,
        ),
        _TOWN_HISTORY,
    ),
    "port": Kind(
        "herri",
        ("port", "hall", "town"),
        (
            (
                "{T.A}~A.name itsasoaren ondoan dagoen~2V,A.s:relative-head herri {q} bat da~V",
                "{T.A}~A.name kostako herri bat da~V eta portu {q} bat~2A.sg du~2V,E.s:shared",
                "{T.A}~A.name arrantzaleen herria da~V",
            ),
            *_TOWN,
        ),
        _TOWN_HISTORY,
    ),
    "eskola": _institution(
        "eskola",
        "school",
        "ikasle",
        "ikasleek~E.pl {num} hizkuntza~A.ind ikasten dituzte~V",
        "ikasturtea~A.sg {month.ine} hasten da~V",
        "eskolak~E.sg {num} gela~A.ind eta lorategi bat~A.sg ditu~V",
    ),
    "azoka": _institution(
        "azoka",
        "market farm kitchen",
        "saltzaile",
        "azoka~A.sg {day} egiten da~V plazan",
        "{month.ine} azoka berezi bat~A.sg antolatzen dute~V,E.p:impersonal",
        "saltzaileak~A.pl goizean iristen dira~V eta arratsaldean joaten dira~2V,A.p:shared",
    ),
    "museo": _institution(
        "museo",
        "museum",
        "langile",
        "{num} gela~A.ind eta lorategi bat~A.sg ditu~V,E.s:pro-drop",
        "{who.gen} {num} koadro~A.ind daude~V museoan",
        "museoan {Y2.gel} argazkiak~A.pl ikusiko ditugu~V,E.p1:pro-drop",
    ),
    "antzoki": _institution(
        "antzoki",
        "music",
        "langile",
        "{month.ine} {num} kontzertu~A.ind egiten dira~V",
        "{who.E}~E.name hemen kanta asko~A.ind abestu zituen~V",
        "antzokiak~E.sg {num} ate~A.ind dauzka~V",
    ),
    "ospitale": _institution(
        "ospitale",
        "health",
        "langile",
        "{num} medikuk~E.ind zaintzen dituzte~V gaixoak~A.pl",
        "{who.A} medikua~A.sg zuzendaria izan zen~V {num} urtez",
        "ospitaleak~E.sg {num} gela~A.ind ditu~V eta lorategi bat~2A.sg dauka~2V,E.s:shared",
    ),
    "fabrika": _institution(
        "fabrika",
        "craft",
        "langile",
        "fabrikak~E.sg makina asko~A.ind ditu~V",
        "{num} enpresak~E.ind erabiltzen dute~V,A.s:pro-drop",
        "{who.A} ingeniariak~E.sg {num} makina~A.ind egin zituen~V",
    ),
    "jatetxe": _institution(
        "jatetxe",
        "kitchen market",
        "langile",
        "{who.A} sukaldaria~A.sg da~V jatetxearen jabea",
        "{day} ez da~V,A.s:pro-drop irekitzen",
        "jatetxeak~E.sg {num} mahai~A.ind dauzka~V",
    ),
    "liburu-denda": _institution(
        "liburu-denda",
        "letters",
        "langile",
        "{num} mila liburu~A.ind gordetzen ditu~V,E.s:pro-drop",
        "{who.A} idazleak~E.sg hemen {num} eleberri~A.ind idatzi zituen~V",
        "{day} idazleak~A.pl elkartzen dira~V",
    ),
    "parke": _institution(
        "parke",
        "nature sport",
        "zuhaitz",
        "parkean {num} iturri~A.ind eta lorategi bat~A.sg daude~V",
        "haurrei~D.pl parkea~A.sg asko gustatzen zaie~V",
    ),
    "errota": _institution(
        "errota",
        "farm",
        "harri",
        "nekazariek~E.pl {num} urtez garia~A.sg ekarri zuten~V errotara",
        "errotaren jabea~A.sg {who.A} izan zen~V",
    ),
    "zubi": _institution(
        "zubi",
        "hall nature",
        "harri",
        "{who.A} ingeniariak~E.sg eraiki zuen~V,A.s:pro-drop",
        "bidaiariek~E.pl zubia~A.sg erabiltzen dute~V, {M.A} mendira joaten direnean~2V,A.p:shared",
    ),
    "river": Kind(
        "ibai",
        ("nature", "hall"),
        (
            (
                "{T.A}~A.name {M.ine} jaiotzen den~2V,A.s:relative-head ibai {q} bat da~V",
                "{T.A}~A.name {N2} kilometro~2A.ind dituen~2V,E.s:relative-head ibaia da~V",
            ),
            (
                "{P.ine} amaitzen da~V,A.s:pro-drop eta ura~2A.sg oso garbia da~2V",
                "ibaiak~E.sg {N2} kilometro~A.ind ditu~V",
            ),
            (
                "{num} zubi~A.ind daude~V ibaian",
                "{P.gel} herritarrei~D.pl ibaia~A.sg gustatzen zaie~V, oso garbia "
                "delako~2V,A.s:shared",
            ),
        ),
        (
            "{Y.ine} ibaiak~E.sg {num} etxe~A.ind eraman zituen~V",
            "{who.A} ingeniariak~E.sg {Y2.ine} zubi bat~A.sg eraiki zuen~V {P.ine}",
        ),
    ),
    "mountain": Kind(
        "mendi",
        ("nature",),
        (
            (
                "{T.A}~A.name {P.gel} mendirik altuena da~V",
                "{T.A}~A.name {P.A} eta {P2.A} herrien artean dagoen~2V,A.s:relative-head mendia "
                "da~V",
            ),
            ("mendiak~E.sg {N} metro~A.ind ditu~V", "guztira {N} metro~A.ind ditu~V,E.s:pro-drop"),
            (
                "neguan elurra~A.sg egiten du~V,E.s:weather",
                "{R.A} ibaia~A.sg mendi honetan jaiotzen da~V",
            ),
        ),
        (
            "{who.A}~A.name {Y.ine} igo zen~V lehenengo aldiz",
            "{Y2.ine} mendizaleek~E.pl gurutze bat~A.sg ekarri zuten~V",
        ),
    ),
    "person": Kind(
        "pertsona",
        ("town",),
        (
            (
                "{T.A}~A.name {P.ine} jaio zen~V {Y.ine}",
                "{T.A}~A.name {P.gel} {job} bat izan zen~V",
                "{T.A} {jobA}~A.sg {Y.ine} jaio zen~V {P.ine}",
            ),
            (
                "gurasoak~A.pl {P.gel} nekazariak ziren~V",
                "aita~A.sg irakaslea zen~V eta ama~2A.sg medikua zen~2V",
                "{num} urte~A.ind zituenean~V,E.s:pro-drop, familia~2A.sg {C.all} joan zen~2V",
                "amonak~E.sg istorio asko~A.ind kontatu zizkion~V,D.s:pro-drop",
            ),
            (
                "{C.ine} {num} urte~A.ind egin zituen~V,E.s:pro-drop",
                "{C.all} joan zen~V,A.s:pro-drop eta han {who.A}~2A.name ezagutu "
                "zuen~2V,E.s:shared",
                "{P.gel} udalak~E.sg sari bat~A.sg eman zion~V,D.s:pro-drop {Y2.ine}",
                "{C.gel} ikasleei~D.pl lanak~A.pl erakutsi zizkien~V,E.s:pro-drop {Y2.ine}",
            ),
            (
                "{C.ine} hil zen~V,A.s:pro-drop {Y2.gel} neguan",
                "{C.ine} hil zen~V,A.s:pro-drop {Y2.ine}",
            ),
        ),
        (
            "{Y2.ine} {P.gel} herritarrek~E.pl kale bat~A.sg eskaini zioten~V,D.s:pro-drop",
            "{who.E}~E.name {T.gen} bizitza~A.sg idatzi zuen~V",
        ),
    ),
}
