import type { Severity } from '../alert/alert.ts'
import { type MonitorId, type MonitorKey, walletOf } from '../alert/monitor.ts'
import { marketIn } from '../alert/subject-id.ts'
import { type Text, words } from '../message/message.ts'
import type { Wallet } from '../venue/wallet.ts'

/** Hours of every day in which only what is critical rings; minutes of the day. `from` after `to` goes over midnight. */
export interface QuietHours {
  from: number
  to: number
}

/** A part of a chat's alerts that is not wanted for a while. */
export interface Mute {
  chatId: number
  of: Muted
  /** Wall time. */
  until: number
}

export type Muted =
  | { is: 'all' }
  | { is: 'wallet'; wallet: Wallet }
  | { is: 'market'; marketId: string }
  | { is: 'kind'; kind: string }

/** A notice that was held back because of either; a summary tells it when both are over. */
export interface Suppressed {
  chatId: number
  alertId: number
  about: MonitorKey
  /** Wall time at which it would have been said. */
  at: number
  severity: Severity
  title: Text
  /** It was resolved meanwhile. */
  over: boolean
}

/** The same mute has the same key, no matter who asks for it. */
export function mutedKey(of: Muted): string {
  switch (of.is) {
    case 'all':
      return 'all'
    case 'wallet':
      return `wallet ${of.wallet}`
    case 'market':
      return `market ${of.marketId}`
    case 'kind':
      return `kind ${of.kind}`
  }
}

export function mutes(of: Muted, monitor: MonitorId): boolean {
  switch (of.is) {
    case 'all':
      return true
    case 'wallet':
      return walletOf(monitor) === of.wallet
    case 'market':
      return marketIn(monitor.subject) === of.marketId
    case 'kind':
      return monitor.kind === of.kind
  }
}

/** `Alerts for main`, `BTC alerts`, `Everything`. */
export function mutedText(
  of: Muted,
  named: { wallet(wallet: Wallet): string; market(id: string): string },
): Text {
  switch (of.is) {
    case 'all':
      return words('muted.all')
    case 'wallet':
      return words('muted.wallet', { wallet: named.wallet(of.wallet) })
    case 'market':
      return words('muted.market', { market: named.market(of.marketId) })
    case 'kind':
      return words('muted.kind', { kind: of.kind })
  }
}
