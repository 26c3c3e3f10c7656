import { firstGraphemes, legible } from '../../lib/text/legible.ts'
import { item, type Message, message, words } from '../../message/message.ts'
import type { Watch } from '../../people/person.ts'
import { type Wallet, walletReference, shortWallet } from '../../venue/wallet.ts'

const MAX_LABEL_GRAPHEMES = 24
/** One grapheme can be a family of seven people, or a letter under many marks. */
const MAX_LABEL_CODE_POINTS = 48

/** Returns the label without invisible characters and without quotation marks. */
export function cleanLabel(typed: string): string {
  return legible(typed)
    .replace(/["“”„«»]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}

/** Returns the start of a label that is too long for a list; null when all of it fits. */
export function shorterLabel(label: string): string | null {
  const shorter = firstGraphemes(label, MAX_LABEL_GRAPHEMES, MAX_LABEL_CODE_POINTS).trim()
  return shorter === label ? null : shorter
}

/** A wallet for a button's line, which has little room. */
export function referenceAmong(wallet: Wallet, watches: readonly Watch[]): string {
  return walletReference(
    wallet,
    watches.map((watch) => watch.wallet),
  )
}

/** As the person calls it. */
export function walletName(wallet: Wallet, watches: readonly Watch[]): string {
  return watches.find((watch) => watch.wallet === wallet)?.label ?? shortWallet(wallet)
}

/** The data of a look by a person who watches no wallet. */
export const NO_WALLET = { is: 'no-wallet' } as const
export interface NoWallet {
  is: 'no-wallet'
  /** The wallets that they follow: each is shown where it is named. */
  followed?: readonly string[]
}

const MAX_FOLLOWED = 3

/** `line` is the command that shows a followed wallet. */
export function noWallet({ followed = [] }: Pick<NoWallet, 'followed'> = {}, line = ''): Message {
  const shown = followed.slice(0, MAX_FOLLOWED)
  const lines = shown.length === 0 ? [] : [words('shown.only-followed', { n: followed.length })]
  return message([item('plain', words('shown.no-wallet'), lines)], {
    buttons: [
      ...shown.map((label) => ({ label, line: `${line} "${label}"`, replace: true })),
      { label: words('shown.button.add-wallet'), line: '/watch ?', replace: true },
      { label: words('shown.button.menu'), line: '/menu', replace: true },
    ],
  })
}
