/** Generates customers from many countries, with names in their scripts and missing data as in the service. */
import type { Random } from './random.ts';

/**
 * Each place starts a line with its country, weight, currency, language, and tax in percent; then phone, postal code, and
 * states (any of them empty), first names, last names, cities, and streets. Lists are separated by `|`; in phone numbers and
 * postal codes `#` is a digit and `@` a letter. `family-first` names have no space.
 */
const PLACES = `
US 42 USD EN 0; +1-208-555-01##; #####; CA|TX|FL|NY|ID|OH|WA|GA|IL|CO;
  Mary|James|Linda|Robert|Patricia|Michael|Jennifer|William|Shawna|DeAndre|Siobhán;
  Smith|Johnson|Brown|Garcia|Miller|Davis|Wilson|O'Brien|Lee|Van Buren|St. John|Nguyen;
  Boise|Austin|Tampa|Albany|Fresno|Columbus; Main St|Oak Ave|Maple Dr|2nd St #4|Sunset Blvd
CA 8 CAD EN 5; +1-416-555-01##; @#@ #@#; ON|QC|BC|AB;
  Emma|Liam|Chloé|Noah|Zoë; Tremblay|Roy|Singh|MacDonald|Côté|D'Amour; Toronto|Montréal|Calgary;
  King St W|Rue Sainte-Catherine
GB 9 GBP EN 20; +44 20 7946 0###; @@# #@@;;
  Oliver|Amelia|Harry|Isla|Nigel; Taylor|Evans|O'Connor|Hughes-Jones|Patel; Leeds|Bristol|Cardiff;
  High Street|Station Road|The Mews
AU 7 AUD EN 10; +61 491 570 1##; ####; NSW|VIC|QLD|WA;
  Jack|Charlotte|Lachlan|Matilda; Nguyen|Kelly|O'Neill|White; Perth|Sydney|Cairns;
  George St|Beach Rd
DE 6 EUR DE 19; +49 30 23125 ###; #####;;
  Jürgen|Anneliese|Björn|Käthe|Max; Müller|Weiß|Schröder|von der Heide|Groß; Köln|München|Görlitz;
  Hauptstraße|Am Mühlbach
FR 4 EUR FR 20; +33 1 99 00 1# ##; #####;;
  Zoé|François|Hélène|Noël; Lefèvre|D'Arcy|Béranger|L'Hôte; Orléans|Nîmes|Paris;
  Rue de l'Église|Allée des Chênes
ES 3 EUR ES 21; +34 910 00 1# ##; #####;;
  Íñigo|María José|Ángel|Lucía; García Márquez|Núñez|de la Peña; León|Cádiz;
  Calle Mayor|Plaza de España
BR 4 BRL PT 0; +55 11 95550 01##; #####-###; SP|RJ|BA;
  João|Conceição|Luís|Íris; Gonçalves|dos Santos|Araújo; São Paulo|Niterói|Salvador;
  Rua das Flores|Avenida Brasil
SE 2 SEK EN 25; +46 70 174 06 ##; ### ##;;
  Åsa|Göran|Märta; Åkesson|Öberg|Sjöström; Malmö|Umeå; Storgatan
PL 2 PLN EN 23; +48 22 100 10 ##; ##-###;;
  Łukasz|Małgorzata|Święto; Wójcik|Żeleński|Dąbrowska; Łódź|Kraków; ul. Długa
GR 2 EUR EN 24; +30 21 0000 01##; ### ##;;
  Γιώργος|Ελένη|Ἀθηνᾶ; Παπαδόπουλος|Νικολάου; Αθήνα|Θεσσαλονίκη; Οδός Ερμού
UA 2 USD EN 0; +380 44 000 01 ##; #####;;
  Олена|Тарас|Юрій; Шевченко|Ковальчук|Їжакевич; Київ|Львів; вул. Хрещатик
CN 2 USD EN 0 family-first; +86 10 5555 01##; ######;;
  伟|秀英|小龙|𠮷祥; 王|李|张|欧阳; 上海|成都; 南京路
JP 3 JPY EN 10 family-first; +81 3 5550 01##; ###-####; 東京都|大阪府;
  花子|太郎|さくら|ケンジ; 山田|髙橋|渡邉; 渋谷区|大阪市; 神南
KR 2 USD EN 10 family-first; +82 2 555 01##; #####;;
  민준|서연|하은; 김|이|박; 서울|부산; 세종대로
EG 1 USD EN 0; +20 2 2555 01##;;;
  محمد|فاطمة|ليلى; عبد الله|المصري; القاهرة; شارع النيل
IL 1 USD EN 17; +972 3 555 01##; #######;;
  דוד|נועה|יעל; כהן|לוי|בן־עמי; תל אביב; רחוב דיזנגוף
IN 4 INR EN 18; +91 22 5555 01##; ######; MH|DL|KA;
  प्रिया|अर्जुन|लक्ष्मी; शर्मा|सिंह|पटेल; मुंबई|दिल्ली; महात्मा गांधी मार्ग
TH 1 USD EN 7; +66 2 555 01##; #####;;
  สมชาย|มาลี|กิ่งแก้ว; ใจดี|ศรีสุข; กรุงเทพมหานคร; ถนนสุขุมวิท
NZ 2 NZD EN 15; +64 9 555 01##; ####;;
  Māia|Hēmi|Ruby; Ngāta|Wilson|O'Hara; Whangārei|Nelson; Queen St
CH 2 CHF DE 8; +41 44 555 01 ##; ####;;
  Urs|Réto|Ladina; Zürcher|Füglister; Zürich|Genève; Bahnhofstrasse
`
  .trim()
  .split(/\n(?! )/)
  .map((place) => {
    const [terms = '', phone = '', postal = '', states = '', ...lists] = place.split(/;\s*/);
    const [country = '', weight, currency = '', language = '', tax, order] = terms.split(' ');
    const [first = '', last = '', cities = '', streets = ''] = lists;
    const texts = { country, currency, language, phone, postal, states };
    const numbers = { weight: Number(weight), taxPercent: Number(tax) };
    return { ...texts, ...numbers, first, last, cities, streets, familyFirst: order !== undefined };
  });

/** Names that spreadsheets, shells, and parsers may mishandle. */
const AWKWARD_LAST_NAMES =
  'O\'Brien|Smith, Jr.|Miller "Mo"|=SUM(A1:A9)|-Dash|+Plus|@Home|Brown & Sons <Ltd>|Null|Semi;colon|Tab\tbed|Ng 👩‍🌾';

export type Customer = ReturnType<typeof generateCustomer>;

const LETTERS = 'ABCEGHJKLMNPRSTVXY'.split('');
const MAIL_HOSTS = ['example.com', 'example.org', 'example.net', 'mail.example'] as const;

const oneOf = (random: Random, texts: string) => random.pick(texts.split('|'));

function fill(random: Random, form: string): string {
  return form
    .replaceAll('#', () => String(random.integer(0, 9)))
    .replaceAll('@', () => random.pick(LETTERS));
}

/** Derives the address from Latin names; other names get a generated address. */
function emailOf(random: Random, first: string, last: string): string {
  const plain = `${first}.${last}`
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^a-z.]/g, '');
  const name = plain.length > 4 ? plain : oneOf(random, 'sunny|blue.sky|hello|green+mail|it_s-me');
  return `${name}${random.integer(1, 999)}@${random.pick(MAIL_HOSTS)}`;
}

/** Customers of physical products have a full address; others often have no postal code. */
export function generateCustomer(random: Random, shipped: boolean) {
  const place = random.weigh(PLACES);
  const first = oneOf(random, place.first);
  const last = oneOf(random, random.chance(0.02) ? AWKWARD_LAST_NAMES : place.last);
  const gap = (probability: number) => !shipped && random.chance(probability);
  const firstName = gap(0.01) ? null : first;
  const lastName = gap(0.015) ? null : last;
  const isWithoutEmail = gap(0.01);
  const email = emailOf(random, first, last);
  const names = place.familyFirst ? [lastName, firstName] : [firstName, lastName];
  const fullName = names.filter((name) => name !== null).join(place.familyFirst ? '' : ' ');
  return {
    taxPercent: place.taxPercent,
    currency: place.currency,
    language: place.language,
    firstName,
    lastName,
    fullName: fullName || null,
    email: isWithoutEmail ? null : email,
    phone: shipped ? fill(random, place.phone) : null,
    address1: shipped ? `${random.integer(1, 299)} ${oneOf(random, place.streets)}` : null,
    address2: shipped && random.chance(0.2) ? `Apt ${random.integer(1, 40)}` : null,
    city: shipped ? oneOf(random, place.cities) : null,
    county: shipped && random.chance(0.05) ? 'Ada' : null,
    state: place.states && !gap(0.2) ? oneOf(random, place.states) : null,
    country: gap(0.004) ? null : place.country,
    postalCode: place.postal && !gap(0.3) ? fill(random, place.postal) : null,
  };
}
