import { remember } from '../../../lib/data/remember.ts'
import type { Clock } from '../../../runtime/clock.ts'
import type { PerpsEquity, VaultDeposit } from '../../../venue/record/balances.ts'
import type { FailedPart } from '../../../venue/record/lacking.ts'
import type { Asking, Venue } from '../../../venue/venue.ts'
import type { Wallet } from '../../../venue/wallet.ts'
import type { Info } from '../info.ts'
import type { Dexes } from '../markets.ts'
import { inTime, partsWithoutAnswer } from '../rules/parts.ts'
import type { Wallets } from '../wallets.ts'
import { accountOf, type Dex } from '../wire/dexes.ts'
import type { Deposit } from './deposits.ts'
import { createSpotPrices, type SpotPrices } from './prices.ts'
import type { SubAccountRead } from './sub-accounts.ts'
import { spotOf, stakingOf, subAccountOf } from './worth.ts'

const DAY_MS = 86_400_000
/** A name weighs as much as all vaults together, so few are read at once. */
const MAX_NAMES_READ = 3
const REMEMBERED_NAMES = 1_000
const NO_PRICES: SpotPrices = { usd: new Map(), hype: null }
const NO_STAKES = { staked: 0n, leaving: 0n }

/** Reads all that a wallet holds, part by part: each costs a request of its own, and may fail alone. */
export function createBalances(world: {
  info: Info
  dexes: Dexes
  wallets: Wallets
  clock: Clock
}): NonNullable<Venue['balances']> {
  const { info, dexes, wallets, clock } = world
  const pricesOf = createSpotPrices(clock, (asking) => info.spotPrices(asking))
  const names = new Map<Wallet, { name: string | null; mono: number }>()

  /** The equity of each account, by its dex. A dex without positions may have money as well. */
  async function perpsOf(
    wallet: Wallet,
    within: () => Asking,
  ): Promise<{ perps: PerpsEquity[]; failed: FailedPart[] }> {
    const listed = await dexes.listedDexes('balances', within())
    const all: Dex[] = [null, ...listed.map(({ name }) => name)]
    const states = await Promise.allSettled(all.map((dex) => info.state(wallet, dex, 'balances', within())))
    const failed = partsWithoutAnswer(all.map(accountOf), states)
    return {
      perps: states.flatMap((one) =>
        one.status === 'fulfilled' && one.value.equity !== 0n
          ? [{ accountId: accountOf(one.value.dex), equityUsd: one.value.equity }]
          : [],
      ),
      failed: failed.map((one) => ({ ...one, part: 'perps', why: `${one.part}: ${one.why}` })),
    }
  }

  async function listedNow(within: () => Asking): Promise<Dex[]> {
    const listed = await dexes.listedDexes('balances', within()).catch(() => [])
    return [null, ...listed.map(({ name }) => name)]
  }

  function knownName(vault: Wallet): { name: string | null } | null {
    const known = names.get(vault)
    return known && clock.monotonic() - known.mono < DAY_MS ? known : null
  }

  async function nameOf(vault: Wallet, asking: Asking): Promise<string | null> {
    const known = knownName(vault)
    if (known) return known.name
    try {
      const name = await info.vaultName(vault, asking)
      remember(names, vault, { name, mono: clock.monotonic() }, REMEMBERED_NAMES)
      return name
    } catch {
      // A vault without its name is still a vault.
      return names.get(vault)?.name ?? null
    }
  }

  /** The largest first. */
  async function vaultsOf(deposits: readonly Deposit[], within: () => Asking): Promise<VaultDeposit[]> {
    const largest = deposits.toSorted((a, b) => (a.equity > b.equity ? -1 : 1))
    const nameless = new Set(largest.filter(({ vault }) => !knownName(vault)).slice(MAX_NAMES_READ))
    return Promise.all(
      largest.map(async (one) => ({
        vault: one.vault,
        name: nameless.has(one) ? null : await nameOf(one.vault, within()),
        equityUsd: one.equity,
        lockedUntil: one.lockedUntil !== null && one.lockedUntil > clock.now() ? one.lockedUntil : null,
      })),
    )
  }

  return async (wallet, asking) => {
    const within = inTime(clock, asking)
    const reads = [
      info.tokens(wallet, within()),
      info.deposits(wallet, within()),
      info.stakes(wallet, within()),
      info.subAccounts(wallet, 'balances', within()),
    ] as const
    // They are awaited below: until then nobody handles their failure.
    for (const read of reads) read.catch(() => {})
    const mode = await wallets.mode(wallet, 'balances', within())
    const own = mode === 'single' ? perpsOf(wallet, within) : null
    const [perps, others] = await Promise.all([
      Promise.allSettled(own ? [own] : []),
      Promise.allSettled(reads),
    ])
    const failedParts = partsWithoutAnswer(
      ['spot', 'vaults', 'staking', 'sub-accounts', 'perps'],
      [...others, ...perps],
    )
    const [tokens, deposits, stakes, subs] = others
    const [found = { perps: [], failed: [] }] = perps.flatMap((one) =>
      one.status === 'fulfilled' ? [one.value] : [],
    )
    const held = valueOf(tokens, null)
    const staked = valueOf(stakes, NO_STAKES)
    const subAccounts = valueOf<SubAccountRead[]>(subs, [])
    const all = [...(held?.tokens ?? []), ...subAccounts.flatMap(({ money }) => money?.tokens ?? [])]
    const isPriced = all.some(({ token }) => token !== 0) || staked.staked + staked.leaving !== 0n
    const [prices] = await Promise.allSettled([isPriced ? pricesOf(within()) : NO_PRICES])
    failedParts.push(...found.failed, ...partsWithoutAnswer(['prices'], [prices], true))
    const known = valueOf(prices, NO_PRICES)
    const counting = {
      ...{ mode, prices: known, listed: await listedNow(within) },
      collateralOf: (dex: Dex) => dexes.collateral(dex) ?? (dex === null ? 0 : null),
    }
    const spot = held ? spotOf(held, counting) : { spot: [], failed: [] }
    return {
      perps: found.perps,
      spot: spot.spot,
      vaults: await vaultsOf(valueOf(deposits, []), within),
      staking: stakingOf(staked, known),
      subAccounts: subAccounts.map((one) => subAccountOf(one, known)),
      unusable: [],
      failedParts: [...failedParts, ...spot.failed],
    }
  }
}

function valueOf<T>(read: PromiseSettledResult<T>, otherwise: T): T {
  return read.status === 'fulfilled' ? read.value : otherwise
}
