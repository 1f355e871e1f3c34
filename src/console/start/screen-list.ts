import type { FunctionComponent } from 'preact';
import type { Place, Screen } from '../page/place.ts';

type Props = { readonly place: never };

/** A screen, loaded when it is opened. The style sheet and the frame are there before. */
interface ListedScreen {
  readonly screen: Screen;
  readonly load: () => Promise<FunctionComponent<Props>>;
}

/** The screens that there are, in the order of the navigation. */
export const screenList: readonly ListedScreen[] = [
  {
    screen: 'activity',
    load: async () => (await import('../activity/activity-screen.tsx')).ActivityScreen,
  },
  {
    screen: 'approvals',
    load: async () => (await import('../approvals/approvals-screen.tsx')).ApprovalsScreen,
  },
  {
    screen: 'notes',
    load: async () => (await import('../notes/notes-screen.tsx')).NotesScreen,
  },
  {
    screen: 'graph',
    load: async () => (await import('../graph/graph-screen.tsx')).GraphScreen,
  },
  {
    screen: 'health',
    load: async () => (await import('../health/health-screen.tsx')).HealthScreen,
  },
  {
    screen: 'access',
    load: async () => (await import('../access/access-screen.tsx')).AccessScreen,
  },
  {
    screen: 'connect',
    load: async () => (await import('../connect/connect-screen.tsx')).ConnectScreen,
  },
];

/** Whether a place is on a screen that there is. */
export function screenOf(place: Place): ListedScreen | undefined {
  return screenList.find(({ screen }) => screen === place.screen);
}
