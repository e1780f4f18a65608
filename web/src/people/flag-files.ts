/** The addresses of the flags, files of `country-flag-icons`: a chunk of its own, loaded with the first flag. */

export const FLAG_FILES = import.meta.glob<string>('../../node_modules/country-flag-icons/3x2/??.svg', {
  query: '?url',
  import: 'default',
  eager: true,
});
