"""The header, measured in the page."""

HEADER = """() => {
    const parts = [...document.querySelectorAll('#bar > *, #bar .places > *')]
        .filter((part) => !part.matches('.skip, .places, .unseen, [popover]'))
        .map((part) => [part.dataset.testid ?? part.getAttribute('href'), part, part.getBoundingClientRect()])
        .filter(([, , { width }]) => width > 1);
    const faults = [];
    for (const [name, part, { left, right, top, bottom }] of parts) {
        if (left < 0 || right > innerWidth) faults.push(`${name} is out of the window`);
        if (part.matches('.own-game') && part.scrollWidth > part.clientWidth + 1) faults.push(`${name} is cut`);
        for (const [other, , box] of parts) {
            const across = box.left < right - 1 && box.right > left + 1;
            const along = box.top < bottom - 1 && box.bottom > top + 1;
            if (other !== name && across && along) faults.push(`${name} and ${other} overlap`);
        }
    }
    return faults;
}"""
"""What does not fit into the header."""
