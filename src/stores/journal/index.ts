import type { OpenStore } from '../../store/store.ts'
import takeLead from './lead.ts'

/** Opens the cell that DATABASE_URL names, once this process leads it. */
export default (async ({ url, venues, clock }) => {
  const { signal } = new AbortController()
  const lead = await takeLead({ url, clock, emit: () => {}, signal })
  return lead.open(venues)
}) satisfies OpenStore
