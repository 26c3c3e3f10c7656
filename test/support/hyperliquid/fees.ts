import { decimal } from './decimals.ts'
import type { Account } from './state.ts'

/** Today and the days before it. */
const DAYS = 15
const DAY_MS = 86_400_000

/** As the documentation shows it: nobody's recording. The two rates of the user are what counts. */
export function feesOf({ fees }: Account, now: number): Record<string, unknown> {
  return {
    dailyUserVlm: Array.from({ length: DAYS }, (_, index) => ({
      date: new Date(now - (DAYS - 1 - index) * DAY_MS).toISOString().slice(0, 10),
      userCross: '0.0',
      userAdd: '0.0',
      exchange: '2852367.0770729999',
    })),
    feeSchedule: {
      cross: '0.00045',
      add: '0.00015',
      spotCross: '0.0007',
      spotAdd: '0.0004',
      tiers: {
        vip: [
          { ntlCutoff: '5000000.0', cross: '0.0004', add: '0.00012', spotCross: '0.0006', spotAdd: '0.0003' },
        ],
        mm: [{ makerFractionCutoff: '0.005', add: '-0.00001' }],
      },
      referralDiscount: '0.04',
      stakingDiscountTiers: [
        { bpsOfMaxSupply: '0.0', discount: '0.0' },
        { bpsOfMaxSupply: '0.0001', discount: '0.05' },
      ],
    },
    userCrossRate: decimal(fees.taker),
    userAddRate: decimal(fees.maker),
    userSpotCrossRate: '0.0007',
    userSpotAddRate: '0.0004',
    activeReferralDiscount: '0.0',
    trial: null,
    feeTrialEscrow: '0.0',
    nextTrialAvailableTimestamp: null,
    stakingLink: null,
    activeStakingDiscount: { bpsOfMaxSupply: '0.0', discount: '0.0' },
  }
}
