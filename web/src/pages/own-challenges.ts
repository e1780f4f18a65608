/** Which open challenges this tab made, also after a reload: their page shows the link instead of the question. */

const NAME = 'own-challenges';

const read = (): string[] => JSON.parse(sessionStorage.getItem(NAME) ?? '[]') as string[];

export const ownChallenges = {
  has: (id: string): boolean => read().includes(id),
  add: (id: string): void => sessionStorage.setItem(NAME, JSON.stringify([...read(), id])),
};
