/**
 * A hash table of slots (small whole numbers that the caller assigns), whose keys are stored elsewhere. It takes 8 to
 * 16 bytes per slot; a map from a word to a number takes the word and 40 more.
 */
export interface SlotTable {
  /** The slot with this hash for which `same` is true; −1 if there is none. */
  find(hash: number, same: (slot: number) => boolean): number
  /** Adds a slot that is not in the table. */
  add(slot: number): void
  /** Removes a slot that is in the table. */
  delete(slot: number): void
}

const FIRST = 64

/** `hashOf` must return the hash that the slot had when it was added. */
export function createSlotTable(hashOf: (slot: number) => number): SlotTable {
  // Each place holds slot + 1, and 0 means free. On a collision the slot takes the next free place.
  let places = new Int32Array(FIRST)
  let size = 0
  const homeOf = (hash: number) => mixed(hash) & (places.length - 1)
  const next = (place: number) => (place + 1) & (places.length - 1)
  const put = (slot: number) => {
    let place = homeOf(hashOf(slot))
    while (places[place] !== 0) place = next(place)
    places[place] = slot + 1
  }
  return {
    find(hash, same) {
      for (let place = homeOf(hash); ; place = next(place)) {
        const slot = (places[place] ?? 0) - 1
        if (slot < 0 || same(slot)) return slot
      }
    },
    add(slot) {
      size++
      if (size * 2 > places.length) {
        const all = places
        places = new Int32Array(all.length * 2)
        for (const one of all) if (one > 0) put(one - 1)
      }
      put(slot)
    },
    delete(slot) {
      let hole = homeOf(hashOf(slot))
      while (places[hole] !== slot + 1) hole = next(hole)
      places[hole] = 0
      size--
      // Those behind it move up, unless they would come to lie before their own place.
      for (let place = next(hole); places[place] !== 0; place = next(place)) {
        const home = homeOf(hashOf((places[place] ?? 0) - 1))
        const isBetween = hole <= place ? hole < home && home <= place : hole < home || home <= place
        if (isBetween) continue
        places[hole] = places[place] ?? 0
        places[place] = 0
        hole = place
      }
    },
  }
}

/** Each bit of it depends on every bit of the number (the end of MurmurHash3, which is in the public domain). */
function mixed(number: number): number {
  let hash = number
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}
