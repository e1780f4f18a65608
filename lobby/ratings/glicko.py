"""Glicko-2: what a rating period does to a rating.

After Mark E. Glickman, "Example of the Glicko-2 system" (glicko.net/glicko/glicko2.pdf); the steps and the letters are
his. Pure arithmetic on his own numbers; which games make a period, and what bounds a rating has, is said in
``ratings.py``.
"""

from __future__ import annotations

from math import exp, log, pi, sqrt
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Sequence

SCALE = 173.7178
"""Points of the Glicko scale in one of Glicko-2's own (step 2)."""

CENTRE = 1500.0
"""Where Glicko-2's own scale has its zero."""

TAU = 0.5
"""How much the volatility may change over time (step 1): "reasonable choices are between 0.3 and 1.2"; his example has
0.5."""

EPSILON = 1e-6
"""When the iteration of step 5 is close enough; his own."""


class Strength(msgspec.Struct, frozen=True, gc=False):
    """A player on the Glicko scale: the rating, its deviation, and how erratic his results are."""

    rating: float
    deviation: float
    volatility: float


Result = tuple[Strength, float]
"""An opponent, and the score against him: 1 won, 0.5 drawn, 0 lost."""


def weight(phi: float) -> float:
    """g of step 3: how much a result says that was made against an opponent of deviation ``phi``."""
    return 1 / sqrt(1 + 3 * phi**2 / pi**2)


def expected(mu: float, mu_j: float, phi_j: float) -> float:
    """E of step 3: the score to be expected against an opponent of rating ``mu_j`` and deviation ``phi_j``."""
    return 1 / (1 + exp(-weight(phi_j) * (mu - mu_j)))


def evidence(mu: float, opponents: Sequence[tuple[float, float, float]]) -> tuple[float, float]:
    """v of step 3, the variance of ``mu`` by the games alone, and the sum of step 4 that makes delta when multiplied
    with it.

    Args:
        opponents: rating, deviation and score of each game, on Glicko-2's own scale; at least one.
    """
    certainty = surprise = 0.0
    for mu_j, phi_j, score in opponents:
        g, e = weight(phi_j), expected(mu, mu_j, phi_j)
        certainty += g * g * e * (1 - e)
        surprise += g * (score - e)
    return 1 / certainty, surprise


def new_volatility(volatility: float, phi: float, v: float, delta: float, tau: float = TAU) -> float:
    """Step 5: the volatility after a period, by the "Illinois algorithm", a kind of regula falsi."""
    a = log(volatility**2)

    def f(x: float) -> float:
        ex = exp(x)
        variance = phi**2 + v + ex
        return ex * (delta**2 - variance) / (2 * variance**2) - (x - a) / tau**2

    low = a
    if delta**2 > phi**2 + v:
        high = log(delta**2 - phi**2 - v)
    else:
        k = 1
        while f(a - k * tau) < 0:
            k += 1
        high = a - k * tau
    f_low, f_high = f(low), f(high)
    while abs(high - low) > EPSILON:
        middle = low + (low - high) * f_low / (f_high - f_low)
        f_middle = f(middle)
        if f_middle * f_high <= 0:
            low, f_low = high, f_high
        else:
            f_low /= 2
        high, f_high = middle, f_middle
    return exp(low / 2)


def idle(player: Strength, periods: float) -> Strength:
    """A player after ``periods`` without a game, a fraction or many: step 6 alone, whose variances add up."""
    phi, sigma = player.deviation / SCALE, player.volatility
    return Strength(player.rating, SCALE * sqrt(phi**2 + periods * sigma**2), sigma)


def rate(player: Strength, results: Sequence[Result], tau: float = TAU) -> Strength:
    """A player after a rating period with ``results``, at least one; the opponents as they were before it."""
    mu, phi = (player.rating - CENTRE) / SCALE, player.deviation / SCALE
    opponents = [((other.rating - CENTRE) / SCALE, other.deviation / SCALE, score) for other, score in results]
    v, surprise = evidence(mu, opponents)
    sigma = new_volatility(player.volatility, phi, v, v * surprise, tau)
    # Step 6 and 7: before the games count, the doubt grows by what the volatility says.
    phi = 1 / sqrt(1 / (phi**2 + sigma**2) + 1 / v)
    mu += phi**2 * surprise
    return Strength(CENTRE + SCALE * mu, SCALE * phi, sigma)
