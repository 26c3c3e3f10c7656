import type english from '../en/parse.ts'

export default {
  'parse.zone.clock': 'Dort ist es jetzt {time}.',
  'parse.zone.which': '{typed} kann mehrere Zeitzonen meinen. Was zeigt deine Uhr?',
  'parse.far-price': '{market} steht bei {now}. Alarm bei {level}?',
  'parse.far-price.or': '{market} steht bei {now}. Alarm bei {level}, oder meinst du {other}?',
  'parse.history-file': 'Dein Alarmverlauf als Datei (CSV)?',
  'parse.trade': 'Ich lese nur: Ich kann nicht handeln und brauche nie einen Schlüssel.',
} satisfies Record<keyof typeof english, string>
