import { signedUsd } from '../../message/figure.ts'
import { joined, type Text, words } from '../../message/message.ts'
import { type Amount, toNumber } from '../amount.ts'
import type { Earned, Moved } from './sums.ts'

export function money(usd: Amount): ReturnType<typeof signedUsd> {
  return signedUsd(toNumber(usd))
}

/** The parts of a profit, each with its sign. */
export function partsOf({ realisedUsd, feesUsd, fundingPaidUsd, fundingReceivedUsd }: Earned) {
  return {
    trades: money(realisedUsd),
    fees: money(-feesUsd),
    funding: money(fundingReceivedUsd - fundingPaidUsd),
  }
}

/** Neither a trade nor a payment of funding. */
export function isStill({ trades, fundingPaidUsd, fundingReceivedUsd }: Earned): boolean {
  return trades === 0 && fundingPaidUsd === 0n && fundingReceivedUsd === 0n
}

/** `Not counted: +$5,000 came in, rewards +$3.00`; nothing if nothing moved. */
export function apartLines(moved: Moved): Text[] {
  const { inUsd, outUsd, rewardsUsd, vaultsUsd, stakingUsd, otherUsd, unknownValues } = moved
  const parts = [
    ...(inUsd === 0n ? [] : [words('money.in', { usd: money(inUsd) })]),
    ...(outUsd === 0n ? [] : [words('money.out', { usd: money(-outUsd) })]),
    ...(rewardsUsd === 0n ? [] : [words('money.rewards', { usd: money(rewardsUsd) })]),
    ...(vaultsUsd === 0n ? [] : [words('money.vaults', { usd: money(vaultsUsd) })]),
    ...(stakingUsd === 0n ? [] : [words('money.staking', { usd: money(stakingUsd) })]),
    ...(otherUsd === 0n ? [] : [words('money.other', { usd: money(otherUsd) })]),
    ...(unknownValues === 0 ? [] : [words('money.unknown-values', { n: unknownValues })]),
  ]
  return parts.length === 0 ? [] : [words('money.apart', { parts: joined(parts, ', ') })]
}
