import menu from './menu.ts'
import message from './message.ts'
import settings from './settings.ts'

/** All sentences in English, a file for each room. */
export default {
  ...menu,
  ...message,
  ...settings,
} as const
