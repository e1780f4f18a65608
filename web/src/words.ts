/** What the pages call things. */

export const SIDES = { w: 'White', b: 'Black' } as const;

export const VARIANTS = { standard: 'Standard', chess960: 'Chess960' } as const;

/** A variant that this page does not know goes by the name the server has for it. */
export const variantName = (variant: string): string => VARIANTS[variant as keyof typeof VARIANTS] ?? variant;
