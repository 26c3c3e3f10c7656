import { keccak_256 } from '@noble/hashes/sha3.js'

import { bareId } from './venue-name.ts'

/** A wallet address with accounts on the venue, in its EIP-55 checksummed form. Never a human. */
export type Wallet = `0x${string}`

export type WalletParse = { ok: true; wallet: Wallet } | { ok: false; why: string }

/**
 * Reads an address as people paste it. All-lower and all-upper case carry no checksum and are accepted. Mixed
 * case must be the EIP-55 checksum (https://eips.ethereum.org/EIPS/eip-55). `why` is a sentence for a person.
 */
export function parseWallet(text: string): WalletParse {
  const trimmed = text.trim()
  const digits = trimmed.replace(/^0x/i, '')
  if (!/^0x/i.test(trimmed)) return { ok: false, why: 'A wallet address starts with 0x.' }
  if (!/^[0-9a-f]*$/i.test(digits)) {
    return { ok: false, why: 'A wallet address has only the digits 0-9 and a-f after the 0x.' }
  }
  if (digits.length !== 40) {
    return { ok: false, why: `A wallet address has 40 digits after the 0x; this one has ${digits.length}.` }
  }
  const plain = digits === digits.toLowerCase() || digits === digits.toUpperCase()
  const checksummed = withChecksum(digits.toLowerCase())
  if (!plain && checksummed !== `0x${digits}`) {
    return {
      ok: false,
      why: 'The capital letters of this address do not fit its checksum, so a digit may be wrong. Copy it again.',
    }
  }
  return { ok: true, wallet: checksummed }
}

/** A letter of an address is a capital where the same digit of the hash, in hexadecimal, is 8 or more. */
function withChecksum(digits: string): Wallet {
  const hash = keccak_256(Buffer.from(digits))
  const written = [...digits].map((digit, at) => {
    const byte = hash[at >> 1] ?? 0
    return (at % 2 === 0 ? byte >> 4 : byte & 0xf) >= 8 ? digit.toUpperCase() : digit
  })
  return `0x${written.join('')}`
}

/** `0x3F2c…9a1B`, for people. */
export function shortWallet(wallet: string): string {
  return `${wallet.slice(0, 6)}…${wallet.slice(-4)}`
}

/** `0x` and eight digits: almost certainly unique among one person's wallets. */
const REFERENCE = 10

/**
 * Shortens a wallet for the narrow line of a button: its shortest start that is unique among these, else the
 * whole address.
 */
export function walletReference(wallet: Wallet, among: Iterable<Wallet>): string {
  const short = wallet.slice(0, REFERENCE)
  const same = [...among].filter((one) => one.toLowerCase().startsWith(short.toLowerCase()))
  return same.length > 1 ? wallet : short
}

/**
 * An account id has up to 39 digits. People compare this many, and they tell it from the wallet's other
 * accounts.
 */
const ACCOUNT_DIGITS = 6

/** Whether an account has a number and no name. */
export function isNumbered(account: string): boolean {
  return /^\d+$/.test(bareId(account))
}

/** `345678`, for people. */
export function shortAccount(account: string): string {
  return bareId(account).slice(-ACCOUNT_DIGITS)
}

/** `…345678` behind other words, or `7`: the whole number of a small account at a venue of several. */
export function accountMark(account: string): string {
  const whole = bareId(account)
  return whole !== account && whole.length <= ACCOUNT_DIGITS ? whole : `…${shortAccount(account)}`
}

/** Does the same inside a line, where three digits behind a size could be read as its thousands. */
export function accountReference(account: string): string {
  const digits = shortAccount(account)
  return /^\d{3}$/.test(digits) ? `…${digits}` : digits
}

/** The account with this number, or else those whose ids end with these digits. */
export function accountsByDigits(accounts: readonly string[], digits: string): string[] {
  const exact = accounts.filter((account) => bareId(account) === digits)
  return exact.length > 0 ? exact : accounts.filter((account) => account.endsWith(digits))
}
