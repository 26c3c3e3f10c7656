import menu from './menu.ts'
import message from './message.ts'
import settings from './settings.ts'

/** All sentences in German, a file for each room. */
export default {
  ...menu,
  ...message,
  ...settings,
}
