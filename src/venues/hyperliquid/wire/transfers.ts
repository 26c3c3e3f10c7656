import { z } from 'zod'

import { type Amount, magnitude } from '../../../venue/amount.ts'
import type { Transfer } from '../../../venue/record/ledger.ts'
import type { Wallet } from '../../../venue/wallet.ts'
import { figure, word } from '../../http/shape.ts'

/**
 * Reads rows of `userNonFundingLedgerUpdates`
 * (https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/websocket/subscriptions, `WsLedgerUpdate`).
 * `send`, `cStakingTransfer` and some more are in no documentation; their fields are those of
 * https://github.com/nktkas/hyperliquid.
 */

/** The part of a transfer that its row tells. */
export type Moved = Pick<Transfer, 'what' | 'usd' | 'token'>

/** The tokens that count as a dollar each: collateral of dexes. */
const DOLLARS: ReadonlySet<string> = new Set(['USDC', 'USDE', 'USDH', 'USDT0'])
/** The place of perpetuals is a dex by its name, and the main one by an empty name. */
const SPOT = 'spot'
/**
 * Addresses of tokens at the HyperEVM
 * (https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/hyperevm/hypercore-less-than-greater-than-hyperevm-transfers).
 * Money goes through them to a wallet outside, and comes from one.
 */
const OUTSIDE = /^0x2(?:0{31}[0-9a-f]{8}|2{39})$/

const address = z.string().transform((text) => text.toLowerCase())
const fee = figure.nullish().transform((paid) => paid ?? 0n)
const usdc = z.object({ usdc: figure })
const withFee = z.object({ usdc: figure, fee })
const between = z.object({ usdc: figure, user: address, destination: address, fee })
const token = z.object({ token: word, amount: figure })
const sending = z.object({
  ...{ token: word, amount: figure, usdcValue: figure.nullish() },
  ...{ user: address, destination: address, fee, feeToken: z.string().nullish() },
  ...{ sourceDex: z.string().nullish(), destinationDex: z.string().nullish() },
})

/** How a row of one type is read, for the wallet whose record it is. Null: it moves nothing. */
type Reader = (delta: unknown, me: string) => Moved | null

function reader<T extends z.ZodType>(
  schema: T,
  read: (row: z.output<T>, me: string) => Moved | null,
): Reader {
  return (delta, me) => read(schema.parse(delta), me)
}

const dollars = (what: Transfer['what'], usd: Amount): Moved => ({ what, usd, token: null })
const tokens = (what: Transfer['what'], symbol: string, amount: Amount): Moved =>
  isDollar(symbol) ? dollars(what, amount) : { what, usd: null, token: { symbol, amount } }

const READERS: Readonly<Record<string, Reader>> = {
  deposit: reader(usdc, (row) => dollars('deposit', row.usdc)),
  // The amount is what arrives. The fee is taken beside it (https://github.com/richkuo/go-trader/pull/969).
  withdraw: reader(withFee, (row) => dollars('withdrawal', -row.usdc - row.fee)),
  internalTransfer: reader(between, transferred),
  subAccountTransfer: reader(between, transferred),
  accountClassTransfer: reader(z.object({ usdc: figure, toPerp: z.boolean() }), (row) =>
    dollars('within', row.toPerp ? magnitude(row.usdc) : -magnitude(row.usdc)),
  ),
  send: reader(sending, sent),
  spotTransfer: reader(sending, sent),
  vaultCreate: reader(withFee, (row) => dollars('vault', -row.usdc - row.fee)),
  // The record of a vault has the deposits of others, too.
  vaultDeposit: reader(z.object({ usdc: figure, vault: address }), (row, me) =>
    row.vault === me ? dollars('received', row.usdc) : dollars('vault', -row.usdc),
  ),
  vaultWithdraw: reader(
    z.object({ netWithdrawnUsd: figure, commission: fee, vault: address, user: address }),
    (row, me) =>
      row.vault === me && row.user !== me
        ? dollars('sent', -row.netWithdrawnUsd - row.commission)
        : dollars('vault', row.netWithdrawnUsd),
  ),
  vaultDistribution: reader(usdc, (row) => dollars('vault', row.usdc)),
  vaultLeaderCommission: reader(usdc, (row) => dollars('vault', row.usdc)),
  // An empty token stands for USDC in old rows.
  rewardsClaim: reader(token, (row) => tokens('reward', row.token === '?' ? 'USDC' : row.token, row.amount)),
  spotGenesis: reader(token, (row) => tokens('reward', row.token, row.amount)),
  cStakingTransfer: reader(token.extend({ isDeposit: z.boolean() }), (row) =>
    tokens('staking', row.token, row.isDeposit ? -magnitude(row.amount) : magnitude(row.amount)),
  ),
  borrowLend: reader(
    token.extend({ operation: z.enum(['supply', 'withdraw', 'repay', 'borrow']) }),
    ({ operation, ...row }) => {
      const isIn = operation === 'withdraw' || operation === 'borrow'
      return tokens('other', row.token, isIn ? magnitude(row.amount) : -magnitude(row.amount))
    },
  ),
  activateDexAbstraction: reader(token, paid),
  accountActivationGas: reader(token, paid),
  deployGasAuction: reader(token, paid),
  // Its fills say what it took: counted here, the loss would be a transfer.
  liquidation: () => null,
}

/**
 * Reads what a row moved. Null: nothing. A row of an unknown type has moved an unknown amount. Throws a ZodError if a row
 * of a known type is not as it should be.
 */
export function readMoved(delta: { type: string }, wallet: Wallet): Moved | null {
  const read = Object.hasOwn(READERS, delta.type) ? READERS[delta.type] : undefined
  return read ? read(delta, wallet.toLowerCase()) : { what: 'other', usd: null, token: null }
}

/** Whether an amount of this token is as much in USD. Left out: it is. */
export function isDollar(symbol: string | null | undefined): boolean {
  const name = symbol?.trim() ?? ''
  return name === '' || DOLLARS.has(name)
}

function paid({ token: symbol, amount }: z.output<typeof token>): Moved {
  return tokens('other', symbol, -magnitude(amount))
}

function transferred(row: z.output<typeof between>, me: string): Moved {
  if (row.user === row.destination) return dollars('within', 0n)
  return row.user === me ? dollars('sent', -row.usdc - row.fee) : dollars('received', row.usdc)
}

function sent(row: z.output<typeof sending>, me: string): Moved {
  const { user, destination, amount } = row
  const worth = worthOf(row)
  const costUsd = isDollar(row.feeToken) ? row.fee : 0n
  if (user === destination) {
    const into = row.destinationDex === SPOT ? 0n : worth
    const from = row.sourceDex === SPOT ? 0n : worth
    const usd = into === null || from === null ? null : into - from - costUsd
    return { what: 'within', usd, token: null }
  }
  const isMine = user === me
  const other = isMine ? destination : user
  const [out, back] = OUTSIDE.test(other)
    ? (['withdrawal', 'deposit'] as const)
    : (['sent', 'received'] as const)
  const usd = worth === null ? null : isMine ? -worth - costUsd : worth
  const named = isDollar(row.token) ? null : { symbol: row.token, amount: isMine ? -amount : amount }
  return { what: isMine ? out : back, usd, token: named }
}

/** A token without a price is worth nothing by the venue's word: that is unknown. */
function worthOf({ token: symbol, amount, usdcValue }: z.output<typeof sending>): Amount | null {
  if (isDollar(symbol)) return amount
  return usdcValue === null || usdcValue === undefined || (usdcValue === 0n && amount !== 0n)
    ? null
    : usdcValue
}
