import { isKey, nameOf, variantName } from '../words/words';

/** Name of a variant within its family. */
export const shortName = (variant: string): string => (isKey(`short.${variant}`) ? nameOf('short', variant) : variantName(variant));
