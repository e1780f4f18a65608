/** Routes. Lobby, challenge and game pages are in the first chunk, the others are loaded when needed. */

import type { App, FormOf } from './app';
import { GamePage } from './game/page/game-page';
import { BrokenPage, MissingPage } from './pages/broken';
import { ChallengePage } from './pages/challenge';
import { LobbyPage } from './pages/lobby';
import type { Page } from './ui/page';

export const broken = (): Page => new BrokenPage();

export const formOf: FormOf = (app, wanted, closed) =>
  import('./lobby/form/create-dialog').then(({ CreateDialog }) => new CreateDialog(app, wanted, closed));

export function pageOf(app: App, path: string): Page | Promise<Page> {
  const [, kind = '', name = '', number, ...more] = path.split('/');
  const id = decoded(name);
  const deeper = number !== undefined && (kind !== 'import' || !id || !/^[1-9]\d{0,5}$/.test(number));
  if (more.length > 0 || deeper || id === null) return new MissingPage();
  if (kind === 'game' && id) return new GamePage(app, id);
  if (kind === 'challenge' && id) return new ChallengePage(app, id);
  if (kind === 'user' && id) return import('./pages/person').then(({ PersonPage }) => new PersonPage(app, id));
  if (kind === 'simul' && id) return import('./pages/simul').then(({ SimulPage }) => new SimulPage(app, id));
  if (kind === 'tv') return import('./pages/tv').then(({ TvPage }) => new TvPage(app, id || 'best'));
  if (kind === 'leaders') return import('./pages/leaders').then(({ LeadersPage }) => new LeadersPage(app, id || null));
  if (kind === 'import' && number !== undefined) {
    return import('./pages/imported-game').then(({ ImportedGamePage }) => new ImportedGamePage(app, id, Number(number)));
  }
  if (kind === 'import' && id) return import('./pages/imported').then(({ ImportedPage }) => new ImportedPage(app, id));
  if (name !== '') return new MissingPage();
  switch (kind) {
    case '':
      return new LobbyPage(app);
    case 'live':
      return import('./pages/live').then(({ LivePage }) => new LivePage(app));
    case 'wall':
      return import('./pages/wall').then(({ WallPage }) => new WallPage(app));
    case 'simuls':
      return import('./pages/simuls').then(({ SimulsPage }) => new SimulsPage(app));
    case 'search':
      return import('./pages/search').then(({ SearchPage }) => new SearchPage(app));
    case 'players':
      return import('./pages/players').then(({ PlayersPage }) => new PlayersPage(app));
    case 'games':
      return import('./pages/archive').then(({ ArchivePage }) => new ArchivePage(app));
    case 'import':
      return import('./pages/import').then(({ ImportPage }) => new ImportPage(app));
    case 'signup':
      return import('./pages/signup').then(({ SignUpPage }) => new SignUpPage(app));
    case 'login':
      return import('./pages/login').then(({ LogInPage }) => new LogInPage(app));
    case 'forgotten':
      return import('./pages/forgotten').then(({ ForgottenPage }) => new ForgottenPage(app));
    case 'account':
      return import('./pages/account').then(({ AccountPage }) => new AccountPage(app));
    case 'reports':
      return import('./pages/reports').then(({ ReportsPage }) => new ReportsPage(app));
    case 'settings':
      return import('./pages/settings').then(({ SettingsPage }) => new SettingsPage(app));
    default:
      return new MissingPage();
  }
}

/** Null if the percent-encoding is invalid. */
function decoded(name: string): string | null {
  try {
    return decodeURIComponent(name);
  } catch {
    return null;
  }
}
