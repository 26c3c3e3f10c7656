import { type Text, words } from '../../message/message.ts'
import { parseWallet, shortWallet, type Wallet } from '../../venue/wallet.ts'

// Addresses in what people paste: alone, within a sentence, or within the link of an explorer.

const ADDRESS = /(?<![0-9a-z])0x[0-9a-f]{40}(?![0-9a-z])/gi
/** `0x` with another count of digits: a part of an address, or a transaction. */
const HEX = /(?<![0-9a-z])0x([0-9a-z]+)/i
const TRANSACTION_DIGITS = 64
const ADDRESS_DIGITS = 40
/** Names that stand for an address: https://docs.ens.domains, and those of other chains. */
const NAME = /(?<![\w@.-])[\w-]+\.(?:eth|sol|bnb|lens|base|crypto|arb|hl)(?![\w.])/i
/** https://en.bitcoin.it/wiki/List_of_address_prefixes */
const BITCOIN = /(?<!\w)(?:bc1[0-9a-z]{20,80}|[13][1-9A-HJ-NP-Za-km-z]{25,34})(?!\w)/
/** https://solana.com/docs/core/accounts: 32 bytes in base 58. */
const SOLANA = /(?<!\w)[1-9A-HJ-NP-Za-km-z]{32,44}(?!\w)/
const OTHER_CHAINS = /(?<!\w)(?:cosmos1|T[1-9A-HJ-NP-Za-km-z]{33}|addr1|r[1-9A-HJ-NP-Za-km-z]{24,34})\w*/

/** The wallets that a text names, each once. A wrong checksum comes as its sentence. */
export function walletsIn(typed: string): { wallets: readonly Wallet[]; wrong: Text | null } {
  const wallets = new Set<Wallet>()
  let wrong: Text | null = null
  for (const [one] of typed.matchAll(ADDRESS)) {
    const parsed = parseWallet(one)
    if (parsed.ok) wallets.add(parsed.wallet)
    else wrong ??= wrongAddress(one)
  }
  return { wallets: [...wallets], wrong }
}

/** Says why something that begins with 0x is no address. */
export function wrongAddress(typed: string): Text {
  const digits = typed.replace(/^0x/i, '')
  if (!/^[0-9a-f]*$/i.test(digits)) return words('parse.address.digits')
  if (digits.length === TRANSACTION_DIGITS)
    return words('parse.address.transaction', { hash: shortWallet(typed) })
  return digits.length === ADDRESS_DIGITS
    ? words('parse.address.checksum')
    : words('parse.address.length', { digits: digits.length })
}

/** The sentence for a name, another chain's address or a part of an address; null where the text has none. */
export function foreignAddress(typed: string): Text | null {
  const [name] = NAME.exec(typed) ?? []
  if (name !== undefined) return words('parse.address.name', { name })
  const [hex] = HEX.exec(typed) ?? []
  if (hex !== undefined && !parseWallet(hex).ok) return wrongAddress(hex)
  if (BITCOIN.test(typed)) return words('parse.address.bitcoin')
  if (OTHER_CHAINS.test(typed)) return words('parse.address.other')
  return SOLANA.test(typed) ? words('parse.address.solana') : null
}
