import { parseWallet, shortWallet, type Wallet } from '../../venue/wallet.ts'

// Addresses in what people paste: alone, within a sentence, or within the link of an explorer.

const ADDRESS = /(?<![0-9a-z])0x[0-9a-f]{40}(?![0-9a-z])/gi
/** `0x` with another count of digits: a part of an address, or a transaction. */
const HEX = /(?<![0-9a-z])0x([0-9a-z]+)/i
const TRANSACTION_DIGITS = 64
/** Names that stand for an address: https://docs.ens.domains, and those of other chains. */
const NAME = /(?<![\w@.-])[\w-]+\.(?:eth|sol|bnb|lens|base|crypto|arb|hl)(?![\w.])/i
/** https://en.bitcoin.it/wiki/List_of_address_prefixes */
const BITCOIN = /(?<!\w)(?:bc1[0-9a-z]{20,80}|[13][1-9A-HJ-NP-Za-km-z]{25,34})(?!\w)/
/** https://solana.com/docs/core/accounts: 32 bytes in base 58. */
const SOLANA = /(?<!\w)[1-9A-HJ-NP-Za-km-z]{32,44}(?!\w)/
const OTHER_CHAINS = /(?<!\w)(?:cosmos1|T[1-9A-HJ-NP-Za-km-z]{33}|addr1|r[1-9A-HJ-NP-Za-km-z]{24,34})\w*/

/** The wallets that a text names, each once. A wrong checksum comes as its sentence. */
export function walletsIn(text: string): { wallets: readonly Wallet[]; wrong: string | null } {
  const wallets = new Set<Wallet>()
  let wrong: string | null = null
  for (const [typed] of text.matchAll(ADDRESS)) {
    const parsed = parseWallet(typed)
    if (parsed.ok) wallets.add(parsed.wallet)
    else wrong ??= parsed.why
  }
  return { wallets: [...wallets], wrong }
}

const SEND = 'Send the address itself (0x…).'

/** The sentence for a name, another chain's address or a part of an address; null where the text has none. */
export function foreignAddress(text: string): string | null {
  const [name] = NAME.exec(text) ?? []
  if (name !== undefined) return `I can’t look up names such as ${name}. ${SEND}`
  const [typed, digits] = HEX.exec(text) ?? []
  if (typed !== undefined && digits !== undefined) {
    if (digits.length === TRANSACTION_DIGITS) return `${shortWallet(typed)} is a transaction. ${SEND}`
    const parsed = parseWallet(typed)
    if (!parsed.ok) return parsed.why
  }
  const other = (chain: string) =>
    `That looks like a ${chain} address. I watch addresses of 40 digits that begin with 0x.`
  if (BITCOIN.test(text)) return other('Bitcoin')
  if (OTHER_CHAINS.test(text)) return other('different chain’s')
  return SOLANA.test(text) ? other('Solana') : null
}
