import { ALICE } from './bot.ts'

/** A file of /export file with one wallet, as another Perch would have written it. */
export function anExport(over: object = {}): Record<string, unknown> {
  return {
    ...{ perch: 'export', version: 1, made: '2026-11-27T03:00:00.000Z' },
    settings: {
      ...{ zone: 'Europe/Berlin', numbers: '1,234.5', language: null, detail: 'short' },
      ...{ pictures: 'on', theme: 'dark', escalateFrom: 3 },
    },
    preset: { name: 'normal', except: [] },
    chats: [aChat()],
    wallets: [{ wallet: ALICE, label: 'main', as: 'own' }],
    alerts: [],
    ...over,
  }
}

/** The private chat, or a group. */
export function aChat(over: object = {}): Record<string, unknown> {
  return { place: null, quiet: null, digest: null, weekly: null, mutes: [], ...over }
}

/** An alert of the wallet, as `/watch` arms it. */
export function anAlert(over: object = {}): Record<string, unknown> {
  return {
    ...{ kind: 'liquidation-distance', params: { tiers: [0.2, 0.1] }, wallet: ALICE, market: null },
    ...{ armed: true, holdMs: 15_000, chat: 0, ...over },
  }
}
