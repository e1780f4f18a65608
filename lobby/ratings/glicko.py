"""Glicko-2: the effect of a rating period on a rating.

After Mark E. Glickman, "Example of the Glicko-2 system" (glicko.net/glicko/glicko2.pdf), whose steps and symbols are
used here. Pure arithmetic. ``ratings.py`` defines which games make a period, and the bounds of a rating.
"""

from __future__ import annotations

from math import exp, log, pi, sqrt
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Sequence

SCALE = 173.7178
"""Glicko points in one unit of the Glicko-2 scale (step 2)."""

CENTRE = 1500.0
"""The zero of the Glicko-2 scale, in Glicko points."""

TAU = 0.5
"""Constraint on the change of volatility over time (step 1): "reasonable choices are between 0.3 and 1.2"; the paper's
example uses 0.5."""

EPSILON = 1e-6
"""Tolerance of the iteration in step 5, as in the paper."""


class Strength(msgspec.Struct, frozen=True, gc=False):
    """A player on the Glicko scale: rating, deviation, and volatility of results."""

    rating: float
    deviation: float
    volatility: float


Result = tuple[Strength, float]
"""An opponent, and the score against them: 1 won, 0.5 drawn, 0 lost."""


def weight(phi: float) -> float:
    """Return g of step 3: the weight of a result against an opponent of deviation ``phi``."""
    return 1 / sqrt(1 + 3 * phi**2 / pi**2)


def expected(mu: float, mu_j: float, phi_j: float) -> float:
    """Return E of step 3: the expected score against an opponent of rating ``mu_j`` and deviation ``phi_j``."""
    return 1 / (1 + exp(-weight(phi_j) * (mu - mu_j)))


def evidence(mu: float, opponents: Sequence[tuple[float, float, float]]) -> tuple[float, float]:
    """Return v of step 3, the variance of ``mu`` estimated from the games, and the sum of step 4, which times v is
    delta.

    Args:
        opponents: rating, deviation and score of each game, on the Glicko-2 scale; at least one.
    """
    certainty = surprise = 0.0
    for mu_j, phi_j, score in opponents:
        g, e = weight(phi_j), expected(mu, mu_j, phi_j)
        certainty += g * g * e * (1 - e)
        surprise += g * (score - e)
    return 1 / certainty, surprise


def new_volatility(volatility: float, phi: float, v: float, delta: float, tau: float = TAU) -> float:
    """Return the volatility after a period: step 5, by the "Illinois algorithm", a kind of regula falsi."""
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
    """Return a player after ``periods`` without a game, which may be a fraction: step 6, whose variances add up."""
    phi, sigma = player.deviation / SCALE, player.volatility
    return Strength(player.rating, SCALE * sqrt(phi**2 + periods * sigma**2), sigma)


def rate(player: Strength, results: Sequence[Result], tau: float = TAU) -> Strength:
    """Return a player after a rating period with ``results``, at least one. Opponents are as before the period."""
    mu, phi = (player.rating - CENTRE) / SCALE, player.deviation / SCALE
    opponents = [((other.rating - CENTRE) / SCALE, other.deviation / SCALE, score) for other, score in results]
    v, surprise = evidence(mu, opponents)
    sigma = new_volatility(player.volatility, phi, v, v * surprise, tau)
    # Steps 6 and 7: the deviation grows by the volatility before the games count.
    phi = 1 / sqrt(1 / (phi**2 + sigma**2) + 1 / v)
    mu += phi**2 * surprise
    return Strength(CENTRE + SCALE * mu, SCALE * phi, sigma)
