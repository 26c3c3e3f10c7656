import type { Rule } from '../../alert/alert.ts'
import { LARGEST_FILE } from '../../chat/sent-file.ts'
import type { Context, View } from '../../command/context.ts'
import { toJson } from '../../lib/text/json.ts'
import { item, type Message, message, type Text, words } from '../../message/message.ts'
import type { Chat } from '../../people/chat.ts'
import { digestKeeper } from '../../people/escalation.ts'
import type { Mute } from '../../people/mute.ts'
import { symbolWithin, venueNameOf } from '../../venue/venue-name.ts'
import { type Exported, type ExportedMarket, type ExportedMute, MOST_WALLETS, VERSION } from './form.ts'

/** Gives everything of a person that another Perch can take over, in one line: a terminal can paste it. */
export function exportFile(context: Context): Message {
  const { person, view } = context
  const made = exportOf(context)
  const text = toJson(made)
  if (Buffer.byteLength(text) > LARGEST_FILE || made.wallets.length > MOST_WALLETS)
    return message([item('plain', words('export.file.large'), [words('export.file.large.how')])])
  const name = `perch-export-${made.made.slice(0, 10)}.json`
  const counts = { wallets: made.wallets.length, alerts: made.alerts.length }
  const lines = [words('export.file.how'), ...lacking(person.id, view)]
  return message([item('plain', words('export.file.title', counts), [...lines, words('export.file.care')])], {
    file: { name, text },
  })
}

/** Pure: the same person gives the same export, but for `made`. */
function exportOf({ person, view, reader }: Pick<Context, 'person' | 'view' | 'reader'>): Exported {
  const { zone, numbers, language, detail, pictures, theme, escalateFrom, preset } = person
  const chats = view.chats(person.id)
  const bound = chats.filter((chat) => !chat.private)
  const own = chats.filter((chat) => chat.private)
  const home = own.find(({ id }) => id === person.defaultChat) ?? own[0]
  const placeOf = new Map(bound.map(({ id }, index) => [id, index + 1]))
  const [daily, weekly] = [digestKeeper(own), digestKeeper(own, 'weekly')]
  const ofChat = (
    chat: Chat | undefined,
    keepers: { daily: Chat | undefined; weekly: Chat | undefined },
  ) => ({
    quiet: chat?.quiet ?? null,
    digest: keepers.daily?.digest?.minute ?? null,
    weekly: keepers.weekly?.weekly
      ? { weekday: keepers.weekly.weekly.weekday, minute: keepers.weekly.weekly.minute }
      : null,
    mutes: chat ? mutesOf(view, chat, reader.now) : [],
  })
  return {
    ...{ perch: 'export', version: VERSION, made: new Date(reader.now).toISOString() },
    settings: { zone, numbers, language, detail, pictures, theme, escalateFrom },
    preset: {
      name: preset?.name ?? 'normal',
      except: Object.entries(preset?.except ?? {}).map(([kind, name]) => ({ kind, preset: name })),
    },
    chats: [
      { place: null, ...ofChat(home, { daily, weekly }) },
      ...bound.map((chat) => ({
        place: {
          ...{ platform: chat.address.platform, chat: chat.address.chat },
          ...{ thread: chat.address.thread, title: chat.title },
        },
        ...ofChat(chat, { daily: chat, weekly: chat }),
      })),
    ],
    wallets: view.named(person.id).map(({ wallet, label, as }) => ({ wallet, label, as })),
    alerts: view.rules(person.id).map((rule) => alertOf(rule, view, placeOf.get(rule.chatId) ?? 0)),
  }
}

function alertOf({ kind, params, wallet, market, armedByWatch, holdMs }: Rule, view: View, chat: number) {
  const plain = params as Exported['alerts'][number]['params']
  const at = market && marketName(market.id, market.symbol, view)
  return { kind, params: plain, wallet, market: at, armed: armedByWatch, holdMs, chat }
}

function mutesOf(view: View, chat: Chat, now: number): ExportedMute[] {
  return view
    .mutes(chat.id)
    .filter(({ until }) => until > now)
    .map(({ of, until }: Mute) => ({
      of:
        of.is === 'market'
          ? { is: of.is, market: marketName(of.marketId, view.symbol(of.marketId), view) }
          : of,
      until: new Date(until).toISOString(),
    }))
}

/** A market as every Perch names it: its venue, and its symbol there. */
export function marketName(id: string, symbol: string, view: Pick<View, 'status'>): ExportedMarket {
  const { venues, venue } = view.status()
  const name = venueNameOf(id, venues.length > 0 ? venues : [venue.split(' ')[0] ?? venue])
  return { venue: name, symbol: symbolWithin(name, symbol) ?? symbol }
}

/** Names the missing parts: places that are never shown in full, and people who have to agree again. */
function lacking(personId: number, view: View): Text[] {
  const { steps } = view.escalation(personId)
  const people = view.delegates(personId).length + view.helped(personId).length
  return steps.length + people === 0 ? [] : [words('export.file.lacks')]
}
