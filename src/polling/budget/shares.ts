/** The share of people while people and wallets both wait. */
const PEOPLE_SHARE = 0.4
/** People may be ahead of their share by the weight of this time, as one command may read twenty wallets. */
const CREDIT_MS = 1_000

/** Decides whether people or wallets are next while both wait. Each may use the share that the other leaves. */
interface Shares {
  peopleFirst(): boolean
  /** People spent this weight while wallets waited. */
  people(weight: number): void
  wallets(weight: number): void
  /** The weight that wallets get until people have had this much. */
  meanwhile(weight: number): number
}

export function createShares(weightPerSecond: () => number): Shares {
  const credit = () => (weightPerSecond() * CREDIT_MS) / 1_000
  /** Weight that people have had beyond their share. */
  let ahead = -credit()
  return {
    peopleFirst: () => ahead < 0,
    people: (weight) => void (ahead += weight),
    wallets(weight) {
      ahead = Math.max(ahead - weight * (PEOPLE_SHARE / (1 - PEOPLE_SHARE)), -credit())
    },
    meanwhile: (weight) => Math.max(weight + ahead, 0) * ((1 - PEOPLE_SHARE) / PEOPLE_SHARE),
  }
}

/** The share that wallets and people keep while markets and confirmations could take everything. */
export const FLOOR_SHARE = 0.25
/** The share that orders keep while all others could take everything. */
export const ORDER_FLOOR_SHARE = 0.05

/** Decides when a purpose of lower priority goes first. */
interface Floor {
  /** Others went first with this weight while it waited. */
  passedBy(weight: number): void
  had(weight: number): void
  isOwed(weight: number): boolean
}

export function createFloor(share: number, burst: () => number, weightPerSecond: () => number): Floor {
  const credit = () => (weightPerSecond() * CREDIT_MS) / 1_000
  let owed = -credit()
  return {
    passedBy(weight) {
      owed = Math.min(owed + weight * (share / (1 - share)), Math.max(2 * burst(), weight))
    },
    had: (weight) => void (owed = Math.max(owed - weight, -credit())),
    // A request that weighs more than a burst is owed with a full one.
    isOwed: (weight) => owed >= Math.min(weight, burst()),
  }
}
