import { z } from 'zod'

import { VenueError } from '../../../venue/venue.ts'
import { isFields, parseJson, unreadable, wordOf } from '../../http/reply.ts'
import { whole } from '../../http/shape.ts'
import type { Figures } from './accounts.ts'
import { type PositionsRead, readPositions } from './positions.ts'
import { integer } from './read.ts'
import { readStats, readUserStats, type StatsRead } from './stats.ts'
import { readTrades, type Trade } from './trades.ts'

/** One message of the socket. `whole`: the first of a subscription, which leaves nothing out. */
export type Frame =
  | { is: 'markets'; whole: boolean; read: StatsRead }
  | { is: 'account'; account: string; whole: boolean; held: PositionsRead; trades: Trade[] }
  | { is: 'figures'; account: string; whole: boolean; figures: Figures }
  /** It is about this account, and cannot be read. */
  | { is: 'unreadable'; account: string; channel: string; why: string }
  | { is: 'unsubscribed'; channel: string }
  | { is: 'error'; code: number | null; text: string }
  /** The venue asks whether we are there. */
  | { is: 'ping' }
  | { is: 'pong' }
  /** The greeting, or a message that we do not know. */
  | { is: 'other' }

const frame = z.object({
  type: z.string().optional(),
  channel: z.string().optional(),
  error: z.unknown().optional(),
})
const error = z.object({ code: integer.nullish().catch(null), message: z.string().nullish().catch(null) })
const markets = z.object({ market_stats: z.record(z.string(), z.unknown()) })
const account = z.object({
  positions: z.union([z.array(z.unknown()), z.record(z.string(), z.unknown())]).nullish(),
  trades: z.unknown().optional(),
})

/** Reads one text of the socket. Throws a VenueError if it cannot tell what it is about. */
export function readFrame(text: string): Frame {
  const sent = parseJson(text)
  const { type = '', channel = '', error: refused } = whole(frame, sent, 'a frame')
  if (refused !== undefined && refused !== null) return errorOf(refused)
  if (type === 'error' || (type === '' && isFields(sent) && 'code' in sent)) return errorOf(sent)
  const [when = '', name = ''] = type.split('/')
  if (type === 'ping' || type === 'pong') return { is: type }
  // Channels are named `account_all:12` in answers and `account_all/12` in requests.
  const [, about = ''] = channel.split(/[:/]/)
  if (when === 'unsubscribed') return { is: 'unsubscribed', channel: channel.replace(':', '/') }
  if (when !== 'subscribed' && when !== 'update') return { is: 'other' }
  const isWhole = when === 'subscribed'
  switch (name) {
    case 'market_stats':
      return {
        is: 'markets',
        whole: isWhole,
        read: readStats(whole(markets, sent, 'the markets').market_stats),
      }
    // One page of the documentation names the updates `update/account`.
    case 'account':
    case 'account_all':
      return aboutAccount(about, 'account_all', () => {
        const { positions, trades } = whole(account, sent, 'the account')
        if (isWhole && !positions) throw unreadable('the account: its positions are missing')
        return {
          ...{ is: 'account', account: about, whole: isWhole },
          ...{ held: readPositions(positions ?? [], about), trades: readTrades(trades, about) },
        }
      })
    case 'user_stats':
      return aboutAccount(about, name, () => ({
        ...{ is: 'figures', account: about, whole: isWhole, figures: readUserStats(sent) },
      }))
    default:
      return { is: 'other' }
  }
}

/** An unreadable frame puts its account in doubt, so its account must be known. */
function aboutAccount(about: string, name: string, read: () => Frame): Frame {
  if (!/^\d{1,19}$/.test(about)) throw unreadable('a frame: it does not say whose account it is')
  try {
    return read()
  } catch (failed) {
    if (!(failed instanceof VenueError)) throw failed
    return { is: 'unreadable', account: about, channel: `${name}/${about}`, why: failed.message }
  }
}

function errorOf(sent: unknown): Frame {
  const parsed = error.safeParse(sent)
  const { code, message } = parsed.success ? parsed.data : {}
  return { is: 'error', code: code ?? null, text: wordOf(message ?? sent) ?? 'without words' }
}
