import { decimal, rounded } from './decimals.ts'
import { pay } from './trading.ts'
import type { Account, LedgerRow } from './state.ts'
import { dexOf, hashOf, type World } from './world.ts'

/**
 * Money that comes and goes without a trade, each with its row of `userNonFundingLedgerUpdates`. The kinds and their fields
 * are those of `WsLedgerUpdate`
 * (https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/websocket/subscriptions), and `send`,
 * `cStakingTransfer`, `borrowLend` and the fees of new accounts as others have recorded them
 * (https://github.com/nktkas/hyperliquid/pull/112).
 */
export interface Transfers {
  /** USDC of the main dex to another address. */
  gives(to: Party, usd: number, fee?: number): void
  /** USDC between the dexes and spot of two addresses, or of one. */
  sends(to: Party, usd: number, from: string, into: string, fee?: number): void
  /** USDC from spot into the main dex; a negative number comes back. */
  shifts(usd: number): void
  /** USDC to a sub-account; a negative number comes back. */
  funds(sub: Party, usd: number): void
  /** Tokens of spot to another address. `worth`: what the venue says that they are worth. */
  hands(to: Party, token: number, amount: number, worth: number): void
  invests(vault: string, usd: number): void
  /** The leader keeps the commission. */
  divests(vault: string, usd: number, commission?: number): void
  /** Founds a vault, which costs a fee. */
  leads(vault: string, usd: number, fee: number): void
  /** HYPE into the staking account; a negative number comes back. */
  stakesMore(amount: number): void
  /** Rewards of referrals and of builders. */
  claims(amount: number, token?: number): void
  /** A row as it is, which moves nothing. */
  notes(delta: LedgerRow['delta'], hash?: string): void
}

interface Party {
  readonly state: Account
}

/** The bridge keeps a dollar, which is not in the amount (https://github.com/richkuo/go-trader/pull/969). */
const BRIDGE_FEE = 1
const USDC = 0
const HYPE = 150

export function noteLedger(
  { clock, newId }: World,
  accounts: readonly Account[],
  delta: LedgerRow['delta'],
  hash = hashOf(newId()),
): void {
  for (const account of new Set(accounts)) account.ledger.push({ at: clock.now(), hash, delta })
}

/** A deposit from the bridge, or a withdrawal to it: the fee is a part of what leaves. */
export function bridge(world: World, account: Account, usd: number): void {
  if (usd >= 0) return noteLedger(world, [account], { type: 'deposit', usdc: decimal(usd) })
  const fee = Math.min(BRIDGE_FEE, -usd)
  const rest = { usdc: decimal(-usd - fee), nonce: world.clock.now(), fee: decimal(fee) }
  return noteLedger(world, [account], { type: 'withdraw', ...rest })
}

export function transfersOf(world: World, state: Account, changed: () => void): Transfers {
  const moved = (accounts: readonly Account[], delta: LedgerRow['delta']) => {
    noteLedger(world, accounts, delta)
    changed()
  }
  const main = (account: Account, usd: number) => pay(account, dexOf(world, ''), usd)
  const into = (account: Account, place: string, usd: number) =>
    place === 'spot' ? own(world, account, USDC, usd) : pay(account, dexOf(world, place), usd)
  const between = (to: Account) => ({ user: state.address, destination: to.address })
  return {
    gives(to, usd, fee = 0) {
      main(state, -usd - fee)
      main(to.state, usd)
      const delta = { usdc: decimal(usd), ...between(to.state), fee: decimal(fee) }
      moved([state, to.state], { type: 'internalTransfer', ...delta })
    },
    sends(to, usd, sourceDex, destinationDex, fee = 0) {
      into(state, sourceDex, -usd - fee)
      into(to.state, destinationDex, usd)
      moved([state, to.state], {
        ...{ type: 'send', ...between(to.state), sourceDex, destinationDex, token: 'USDC' },
        ...{ amount: decimal(usd), usdcValue: decimal(usd), fee: decimal(fee), nativeTokenFee: '0.0' },
        ...{ nonce: world.clock.now(), feeToken: fee === 0 ? '' : 'USDC' },
      })
    },
    shifts(usd) {
      main(state, usd)
      own(world, state, USDC, -usd)
      moved([state], { type: 'accountClassTransfer', usdc: decimal(Math.abs(usd)), toPerp: usd > 0 })
    },
    funds(sub, usd) {
      main(state, -usd)
      main(sub.state, usd)
      const [from, to] = usd > 0 ? [state, sub.state] : [sub.state, state]
      const delta = { usdc: decimal(Math.abs(usd)), user: from.address, destination: to.address }
      moved([state, sub.state], { type: 'subAccountTransfer', ...delta })
    },
    hands(to, token, amount, worth) {
      own(world, state, token, -amount)
      own(world, to.state, token, amount)
      moved([state, to.state], {
        ...{ type: 'spotTransfer', token: nameOf(world, token), amount: decimal(amount, 8) },
        ...{ usdcValue: decimal(worth), ...between(to.state), fee: '0.0', nativeTokenFee: '0.0' },
        ...{ nonce: world.clock.now(), feeToken: '' },
      })
    },
    invests(vault, usd) {
      main(state, -usd)
      putIn(state, vault, usd)
      moved([state], { type: 'vaultDeposit', vault: vault.toLowerCase(), usdc: decimal(usd) })
    },
    divests(vault, usd, commission = 0) {
      main(state, usd - commission)
      putIn(state, vault, -usd)
      moved([state], {
        ...{ type: 'vaultWithdraw', vault: vault.toLowerCase(), user: state.address },
        ...{ requestedUsd: decimal(usd), commission: decimal(commission), closingCost: '0.0' },
        ...{ basis: decimal(usd), netWithdrawnUsd: decimal(usd - commission) },
      })
    },
    leads(vault, usd, fee) {
      main(state, -usd - fee)
      putIn(state, vault, usd)
      moved([state], {
        ...{ type: 'vaultCreate', vault: vault.toLowerCase(), usdc: decimal(usd), fee: decimal(fee) },
      })
    },
    stakesMore(amount) {
      own(world, state, HYPE, -amount)
      state.outside.staking.undelegated = rounded(state.outside.staking.undelegated + amount, 8)
      const delta = { token: 'HYPE', amount: decimal(Math.abs(amount), 8), isDeposit: amount > 0 }
      moved([state], { type: 'cStakingTransfer', ...delta })
    },
    claims(amount, token = USDC) {
      own(world, state, token, amount)
      moved([state], { type: 'rewardsClaim', amount: decimal(amount, 8), token: nameOf(world, token) })
    },
    notes: (delta, hash) => noteLedger(world, [state], delta, hash),
  }
}

function putIn({ outside: { vaults } }: Account, vault: string, usd: number): void {
  const held = vaults.get(vault.toLowerCase()) ?? { usd: 0, lockedUntil: 0 }
  vaults.set(vault.toLowerCase(), { ...held, usd: rounded(held.usd + usd) })
}

function own(world: World, account: Account, token: number, amount: number): void {
  const held = account.spot.get(token) ?? { coin: nameOf(world, token), free: 0, entryNotional: 0 }
  account.spot.set(token, { ...held, free: rounded(held.free + amount, 8) })
}

function nameOf({ outside: { tokens } }: World, index: number): string {
  const found = tokens.find((one) => one.index === index)
  if (!found) throw new Error(`the stand-in has no token ${index}`)
  return found.name
}
