import { errorText } from '../../lib/text/error-text.ts'
import { systemClock } from '../../runtime/clock.ts'
import { type Amount, divide, formatDecimal, magnitude, toNumber } from '../../venue/amount.ts'
import type { LedgerEntry, LedgerFill } from '../../venue/record/ledger.ts'
import { profitOf, sumLedger } from '../../venue/record/sums.ts'
import type { Asking } from '../../venue/venue.ts'
import { type Wallet, parseWallet } from '../../venue/wallet.ts'
import { createAsk } from '../http/ask.ts'
import { openTransport, type Transport } from '../http/request.ts'
import { schema } from './config.ts'
import { createInfo } from './info.ts'
import { createLedger } from './record/ledger.ts'
import { accountsOf } from './rules/accounts.ts'
import { closeRecordsOf } from './rules/close-records.ts'
import { accountOf } from './wire/dexes.ts'
import { liquidationPrice, maintenance } from './wire/margin.ts'
import type { DexState, Held } from './wire/state.ts'

const LIMIT_MS = 20_000
const WEEK_MS = 604_800_000
/** How much of an answer to print. */
const MAX_PRINTED_CHARACTERS = 600
/** Below this, only the last printed digit of a liquidation price differs. */
const MAX_RELATIVE_DIFFERENCE = 1e-9

/**
 * `npm run probe:hyperliquid -- 0x…` reads everything of one wallet once and prints each answer beside our
 * reading of it.
 */
async function probe(wallet: Wallet, url: string): Promise<void> {
  const clock = systemClock()
  const transport = openTransport(new URL(url), clock)
  const ask = createAsk({
    transport: told(transport),
    clock,
    emit: () => {},
    random: () => 0.5,
    secret: null,
  })
  const info = createInfo(ask)
  let spent = 0
  const asking: Asking = {
    patience: 'poll',
    limitMs: LIMIT_MS,
    signal: new AbortController().signal,
    spend(request, weight = 1) {
      spent += weight
      return request((more) => void (spent += more))
    },
  }
  say(`Reads ${url} for ${wallet}.`)
  const role = await tried(info.role(wallet, asking))
  const mode = await tried(info.mode(wallet, 'positions', asking))
  const spot = await tried(info.spot(wallet, 'positions', asking))
  const listedDexes = (await tried(info.listedDexes('markets', asking))) ?? []
  const states: DexState[] = []
  for (const dex of [null, ...listedDexes.map(({ name }) => name)]) {
    const state = await tried(info.state(wallet, dex, 'positions', asking))
    if (state && (dex === null || state.held.length + state.unusable.length > 0)) states.push(state)
  }
  const counted = []
  for (const state of states) {
    const read = await tried(info.markets(state.dex, 'markets', asking))
    if (read) counted.push({ state, collateral: read.collateral })
    await tried(info.openOrders(wallet, state.dex, asking))
    for (const held of state.held) {
      await tried(info.chosen(wallet, held.position.marketId, asking))
      const table = read?.terms.get(held.position.marketId)?.tiers ?? []
      const { maxLeverage } = held
      const own = maxLeverage === null ? [] : [{ lowerBound: 0n, maxLeverage }]
      compare(state, held, table.length > 0 ? table : own)
    }
  }
  await tried(info.pastOrders(wallet, asking))
  await tried(info.takerFee(wallet, asking))
  const twaps = await tried(info.twaps(wallet, asking))
  const first = twaps?.twaps.findLast(({ state }) => state === 'running')
  if (first) await tried(info.twapFills(wallet, first.startedAt, asking))
  const fills = await tried(info.fills(wallet, clock.now() - WEEK_MS, asking))
  const since = clock.now() - WEEK_MS
  const ledger = createLedger({ info, clock, heardSince: () => null })
  const asked = { since, until: clock.now(), of: ['fill', 'funding', 'transfer'] as const }
  const record = await tried(ledger.read(wallet, asked, asking))
  say('\nWhat we make of it')
  say(
    `  it is ${role === null ? 'unknown to us' : JSON.stringify(role)}; its collateral: ${mode ?? 'unknown to us'}`,
  )
  for (const account of mode === null ? [] : accountsOf(wallet, mode, counted, spot)) {
    const { accountId, equityUsd, maintenanceUsd, marginRatio } = account
    say(
      `  ${accountId}: equity ${figure(equityUsd)}, maintenance ${figure(maintenanceUsd)}, ratio ${marginRatio ?? '–'}`,
    )
  }
  for (const { marketId, how, price, at } of closeRecordsOf(fills ?? [], wallet)) {
    say(`  ${marketId} ${how} at ${figure(price)}, ${new Date(at).toISOString()}`)
  }
  if (record) summed(record.entries, record.wholeFrom, since)
  for (const { held } of states)
    for (const { position } of held) chained(position.marketId, position.size, record?.entries ?? [])
  say(`It weighed ${spent}.`)
  await transport.close()
}

function summed(entries: readonly LedgerEntry[], wholeFrom: number, since: number): void {
  const sums = sumLedger(entries, { since, until: Infinity, dayStarts: [] })
  const { trades, realisedUsd, feesUsd, inUsd, outUsd, unknownFees, unknownValues } = sums
  const funding = figure(sums.fundingReceivedUsd - sums.fundingPaidUsd)
  say(
    `  since ${new Date(wholeFrom).toISOString()}: ${trades} fills, realised ${figure(realisedUsd)}, fees ${figure(feesUsd)}, funding ${funding}, profit ${figure(profitOf(sums))}`,
  )
  say(
    `  in ${figure(inUsd)}, out ${figure(outUsd)}, within ${figure(sums.withinUsd)}, vaults ${figure(sums.vaultsUsd)}; unknown: ${unknownFees} fees, ${unknownValues} transfers`,
  )
}

/** Prints whether the last fill of a market leaves the position: if not, some list of fills lacks one. */
function chained(marketId: string, size: Amount, entries: readonly LedgerEntry[]): void {
  const last = entries.findLast((one): one is LedgerFill => one.is === 'fill' && one.marketId === marketId)
  if (!last) return
  const agree = last.before + last.size === size
  say(`  ${marketId}: its last fill leaves ${figure(last.before + last.size)}, it holds ${figure(size)}`)
  say(agree ? '  they agree' : '  THEY DISAGREE')
}

/**
 * Prints whether our formula gives the venue's liquidation price. It cannot for unified and portfolio
 * accounts, because it leaves out spot.
 */
function compare(state: DexState, held: Held, tiers: Parameters<typeof maintenance>[2]): void {
  const { position, mark, rawUsd } = held
  const own = position.margin === 'cross' ? maintenance(position.size, mark, tiers) : 0n
  const ours = liquidationPrice({
    size: position.size,
    tiers,
    by:
      position.margin === 'isolated'
        ? { is: 'isolated', rawUsd: rawUsd ?? 0n }
        : {
            is: 'cross',
            accountValue: state.crossEquity,
            maintenanceOfOthers: state.crossMaintenance - own,
            mark,
          },
  })
  const sent = position.liquidationPrice
  const off = sent === null || ours === null ? null : toNumber(divide(magnitude(ours - sent), sent))
  const agree = off === null ? sent === ours : off < MAX_RELATIVE_DIFFERENCE
  say(
    `\n${accountOf(state.dex)} ${position.marketId}: liquidation sent ${figure(sent)}, ours ${figure(ours)}`,
  )
  say(agree ? '  they agree' : `  THEY DISAGREE${off === null ? '' : ` by ${(100 * off).toPrecision(3)}%`}`)
}

function told(transport: Transport): Transport {
  return {
    ...transport,
    send: (request, limitMs, signal, read) =>
      transport.send(request, limitMs, signal, (reply) => {
        const text =
          reply.text.length > MAX_PRINTED_CHARACTERS
            ? `${reply.text.slice(0, MAX_PRINTED_CHARACTERS)}… (${reply.text.length})`
            : reply.text
        say(`\n${request.body}\n  ${reply.status} ${text}`)
        return read(reply)
      }),
  }
}

async function tried<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading
  } catch (error) {
    say(`  CANNOT BE USED: ${errorText(error)}`)
    return null
  }
}

function figure(amount: Amount | null): string {
  return amount === null ? '–' : formatDecimal(amount)
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

if (import.meta.main) {
  const parsed = parseWallet(process.argv[2] ?? '')
  const settings = schema.safeParse(process.env)
  if (parsed.ok && settings.success) await probe(parsed.wallet, settings.data.VENUE_URL)
  else {
    const why = parsed.ok ? (settings.error?.issues[0]?.message ?? '') : parsed.why
    process.stderr.write(`${why} Say: npm run probe:hyperliquid -- 0x…\n`)
    process.exitCode = 1
  }
}
