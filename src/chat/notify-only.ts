import type { Notifier } from './notifier.ts'

/** For platforms that cannot change a sent message: news goes out as another message, without a sound. */
export const rejectsEdits: Notifier['edit'] = async () => ({
  is: 'rejected',
  why: 'what was sent there cannot be changed',
})
