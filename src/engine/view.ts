import type { Clock } from '../clock.ts'
import type { Firing, View } from '../command.ts'
import type { Market } from '../market.ts'
import { keyOf, splitKey } from './memory.ts'
import type { Memory } from './memory.ts'
import { ownersOf } from './subjects.ts'

/** What commands see of the working set. */
export function createView(memory: Memory, clock: Clock, about: { venue: string; version: string }): View {
  const started = clock.tick()
  return {
    watches: (personId) =>
      ownersOf(memory, personId).flatMap((owner) => memory.watches.get(owner)?.get(personId) ?? []),
    rules: (personId) => [...(memory.rulesOf.get(personId) ?? [])].sort((a, b) => a.id - b.id),
    rulesIn: (chatId) => [...memory.rules.values()].filter((rule) => rule.chatId === chatId),
    markets: () => marketsOf(memory),
    marketsAt: () => memory.marketsAt,
    positions(owner) {
      const view = memory.owners.get(owner)
      if (!view || view.tick === -Infinity) return null
      return { value: [...view.held.values()].map(({ position }) => position), at: view.at, tick: view.tick }
    },
    firing(personId) {
      const all: Firing[] = []
      for (const rule of memory.rulesOf.get(personId) ?? []) {
        for (const key of memory.keysOf.get(rule.id) ?? []) {
          const { subject } = splitKey(key)
          const { state, value } = memory.states.get(keyOf(rule.id, subject)) ?? {}
          if (state?.is !== 'firing') continue
          const { alertId, tier, since } = state
          all.push({ alertId, rule, subject, tier, since, value: value ?? null })
        }
      }
      return all
    },
    chats: (personId) => [...memory.chats.values()].filter((chat) => chat.personId === personId),
    claimed: () => [...memory.persons.values()].some(({ operator }) => operator),
    blind: () => [...memory.feeds].map(([feed, { since, why }]) => ({ feed, since, why })),
    status() {
      const ticks = [...memory.watches.keys()].map((owner) => memory.owners.get(owner)?.tick ?? -Infinity)
      const oldest = Math.min(...ticks)
      return {
        ...about,
        upMs: clock.tick() - started,
        owners: ticks.length,
        oldestOwnerMs: Number.isFinite(oldest) ? clock.tick() - oldest : null,
        rules: memory.rules.size,
        brokenChats: [...memory.chats.values()].filter(({ brokenBecause }) => brokenBecause !== null).length,
      }
    },
  }
}

/** Those of the last answer: a market that it lacked is not in view, however recently it was. */
function marketsOf(memory: Memory): ReadonlyMap<string, Market> {
  const lastTick = memory.marketsAt?.tick
  return new Map(
    [...memory.markets].filter(([, { tick }]) => tick === lastTick).map(([id, { value }]) => [id, value]),
  )
}
