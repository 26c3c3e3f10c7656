import { z } from 'zod'

import type { Account } from '../../../venue/account.ts'
import type { Amount } from '../../../venue/amount.ts'
import { parseWallet, type Wallet } from '../../../venue/wallet.ts'
import { unreadable, wordOf } from '../../http/reply.ts'
import { figure, whole } from '../../http/shape.ts'
import { readMode, readTokens, type TokenBalance } from '../wire/spot.ts'

/** A sub-account, as the answer about its master shows it. */
export interface SubAccountRead {
  wallet: Wallet
  name: string | null
  /** The number of its open positions, in the dexes that the answer has. */
  positions: number
  /** Its money; null if the answer lacks its mode, which decides how to count. */
  money: { mode: Account['mode']; perps: Amount; tokens: readonly TokenBalance[] } | null
}

const state = z.object({
  marginSummary: z.object({ accountValue: figure }),
  assetPositions: z.array(z.object({ position: z.object({ szi: figure }) })),
})
const base = z.object({ name: z.unknown(), subAccountUser: z.string() })

/**
 * `subAccounts2`, which is in no documentation, has the mode and all dexes. Its mode is left out where it is the usual one
 * (https://github.com/nktkas/hyperliquid/blob/db80d598/src/api/info/_methods/subAccounts2.ts).
 */
const whole2 = z
  .array(
    base.extend({
      dexToClearinghouseState: z.array(z.tuple([z.string(), state])),
      spotState: z.unknown(),
      abstraction: z.string().nullish(),
    }),
  )
  .nullable()

/** Reads the answer of `subAccounts2`: null stands for none. */
export function readSubAccounts2(body: unknown): SubAccountRead[] {
  return (whole(whole2, body, 'the sub-accounts') ?? []).map((one) => {
    const states = one.dexToClearinghouseState.map(([, each]) => each)
    return {
      ...namesOf(one),
      positions: states.reduce((sum, each) => sum + openIn(each), 0),
      money: {
        mode: readMode(one.abstraction ?? 'default'),
        perps: states.reduce((sum, { marginSummary }) => sum + marginSummary.accountValue, 0n),
        tokens: readTokens(one.spotState),
      },
    }
  })
}

/** https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/info-endpoint#retrieve-a-users-subaccounts */
const documented = z.array(base.extend({ clearinghouseState: state })).nullable()

/** Reads the answer of `subAccounts`, which has the main dex alone: null stands for none. */
export function readSubAccounts(body: unknown): SubAccountRead[] {
  return (whole(documented, body, 'the sub-accounts') ?? []).map((one) => ({
    ...namesOf(one),
    positions: openIn(one.clearinghouseState),
    money: null,
  }))
}

function openIn({ assetPositions }: z.output<typeof state>): number {
  // A leg of nothing may stay listed.
  return assetPositions.filter(({ position }) => position.szi !== 0n).length
}

function namesOf({ subAccountUser, name }: z.output<typeof base>) {
  const parsed = parseWallet(subAccountUser)
  if (!parsed.ok) throw unreadable('a sub-account is no address')
  return { wallet: parsed.wallet, name: wordOf(name) }
}
