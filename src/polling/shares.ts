/** Of what people and owners get while both wait. */
const PEOPLES = 0.4
/** So much of the rate people may have at once before that counts: one of them may ask for twenty wallets. */
const CREDIT_MS = 1_000

/** Whose turn it is where both wait: neither people nor owners starve the other, and what one leaves is the other's. */
export interface Shares {
  peopleFirst(): boolean
  /** People had so much while owners waited. */
  people(weight: number): void
  owners(weight: number): void
  /** How much owners get until people have had so much. */
  meanwhile(weight: number): number
}

export function createShares(weightPerSecond: () => number): Shares {
  const credit = () => (weightPerSecond() * CREDIT_MS) / 1_000
  /** Weight that people have had beyond their share. */
  let ahead = -credit()
  return {
    peopleFirst: () => ahead < 0,
    people: (weight) => void (ahead += weight),
    owners(weight) {
      ahead = Math.max(ahead - weight * (PEOPLES / (1 - PEOPLES)), -credit())
    },
    meanwhile: (weight) => Math.max(weight + ahead, 0) * ((1 - PEOPLES) / PEOPLES),
  }
}
