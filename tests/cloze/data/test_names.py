from kasu.cloze.data.names import SETTINGS, split_setting


def test_a_setting_is_a_track_and_a_size():
    assert [split_setting(setting) for setting in SETTINGS] == [
        ("track1", "low"),
        ("track1", "medium"),
        ("track1", "high"),
        ("track2", "low"),
        ("track2", "medium"),
        ("track2", "high"),
    ]
