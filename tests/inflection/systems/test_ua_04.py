import torch

from kasu.inflection.systems import ua_04
from kasu.neural.stopping import Patience
from kasu.transduction.alphabet import Alphabet
from kasu.transduction.items import Item
from kasu.transduction.members.families import Data, Run, Session
from kasu.transduction.networks.actor_critic import Rewards

CHARACTERS, TAGS = Alphabet("abc"), Alphabet(["N", "PL"])
SETTINGS = ua_04.Settings()
ITEMS = [Item("a", (), "ab")]
DATA = Data("toy", "low", ITEMS, ITEMS, [])


def test_sizes_are_those_of_the_paper():
    made = ua_04.network(CHARACTERS, TAGS, "low", SETTINGS, "refined")
    assert (made.encoder.width, made.narrow.out_features) == (512, 256)
    assert (made.table.embedding_dim, made.decoder.table.embedding_dim) == (128, 128)
    # Contexts are fed
    assert (made.decoder.cell.size, made.decoder.feeding, made.dropout) == (256, True, 0.5)
    assert made.length == 64
    assert made.critic.most == 1 / (1 - 0.9)
    assert (ua_04.FAMILY.width, made.normalised) == (10, True)


def test_rewards_follow_in_one_of_the_variants():
    refined, plain = (ua_04.recipe(DATA, SETTINGS, variant) for variant in ua_04.VARIANTS)
    assert plain.then is None
    # More than ten epochs without a gain end both
    assert plain.stop == refined.stop == refined.then.stop == Patience(11, 256)
    assert (refined.batch_size, refined.then.batch_size) == (1, 64)
    assert refined.then.teacher == Rewards(4, 0.9)


def test_without_dev_both_parts_have_all_their_epochs():
    settings = ua_04.Settings(epochs=50, refined=30)
    found = ua_04.recipe(DATA._replace(dev=[]), settings, "refined")
    assert (found.stop, found.then.stop) == (Patience(50, 50), Patience(30, 30))


def test_actor_and_critic_have_optimizers_of_their_own():
    made = ua_04.network(CHARACTERS, TAGS, "low", SETTINGS, "refined")
    actor, critic = ua_04.actor_and_critic(made)
    assert isinstance(actor, torch.optim.SGD)
    assert (actor.defaults["lr"], critic.defaults["lr"]) == (0.5, 0.0005)
    assert critic.defaults["weight_decay"] == 0.001
    counts = [len(each.param_groups[0]["params"]) for each in (actor, critic)]
    assert counts == [len([*made.parameters()]) - 6, 6]


def test_what_is_refined_is_the_network_of_the_other_variant(tmp_path):
    options = {"hidden": 6, "embedding": 6, "epochs": 2, "refined": 1}
    runs = [Run("refined", 1), Run("likelihood", 1)]
    found = ua_04.FAMILY.train(DATA, runs, options, Session(tmp_path, "cpu"))
    assert found.keys() == set(runs)
    assert {path.name for path in tmp_path.glob("*.pt")} == {
        "ua_04-toy-low-refined-1.pt",
        "ua_04-toy-low-refined-1-then.pt",
    }


def test_a_member_learns_a_suffix(share_right):
    options = {"hidden": 64, "embedding": 32, "batch_size": 12, "refined": 3, "learning_rate": 0.01}
    assert share_right("ua_04", options, "refined") > 0.9
