import type { Plot } from '../../../../src/picture/plot.ts'
import type { Reader } from '../reader.ts'
import type { Part, Span } from '../state.ts'
import type { Course } from '../wire.ts'

/** Everything that a reader can do on the page. */
export interface Actions {
  enter(code: string): void
  go(part: Part): void
  /** Says a line to Perch. Its answer stands in that place. */
  say(place: string, line: string): void
  /** Shows a field whose words go behind this line. */
  ask(place: string, start: string, label: string): void
  sayAgain(place: string): void
  close(place: string): void
  toggleChart(key: string, isOpen: boolean): void
  show(span: Span): void
  choose(form: string): void
  type(field: string, value: string): void
  setRule(): void
  switchPush(): void
  signOut(): void
  /** Is told of changes again, in place of another page. */
  goOnHere(): void
}

/** Everything that the parts of the page draw with, beside the state. */
export interface Screen {
  reader: Reader
  act: Actions
  /** The recorded prices of a market; null while they are on their way. */
  course(market: string): Course | 'busy' | null
  /** How many cards stand beside each other. */
  columns: number
  draw(key: string, plot: Plot): Element
}
