import { isKey, nameOf, variantName } from '../words/words';

/** What a variant is called among those of its own family. */
export const shortName = (variant: string): string => (isKey(`short.${variant}`) ? nameOf('short', variant) : variantName(variant));
