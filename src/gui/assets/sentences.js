// What the program writes into reports is in English; here are its sentences in other languages, * for what differs.

import { language, word } from "./texts.js";

const SENTENCES = {
  nl: {
    "*, * games in * pairs, shard * of *": "{1}, {2} partijen in {3} paren, deel {4} van {5}",
    "*, * games in * pairs": "{1}, {2} partijen in {3} paren",
    "* games in * pairs": "{1} partijen in {2} paren",
    "Played on *.": "Gespeeld op {1}.",
    "Played from * to *.": "Gespeeld van {1} tot {2}.",
    "Written by *.": "Geschreven door {1}.",
    "The first * of * games can be played through here; the figures are those of all. A page with all games:":
      "Hier zijn de eerste {1} van {2} partijen na te spelen; de cijfers zijn die van alle. Een pagina met alle partijen:",
    "Only * of * games are different; a repeated game is no new evidence, and the errors below do not know it.":
      "Maar {1} van de {2} partijen zijn verschillend; een herhaalde partij bewijst niets nieuws, en de foutmarges hieronder houden daar geen rekening mee.",
    "Games whose other game of the pair is missing: *.": "Partijen waarvan de andere van het paar ontbreekt: {1}.",
    "Notes of the engines' disagreements stand in the journal and are not reported any more.":
      "Aantekeningen over onenigheid van de engines staan in het journaal en worden niet meer vermeld.",
    "Forfeits ended * of * games (* %): *. The result is not one of playing strength alone.":
      "Van {2} partijen eindigden er {1} reglementair ({3} %): {4}. De uitslag is er niet een van speelsterkte alleen.",
    "*: the same side won both games of most of the * pairs (*). That says little about the engines; *.":
      "{1}: in de meeste van de {2} paren won dezelfde kant beide partijen ({3}). Dat zegt weinig over de engines; {4}.",
    'SPRT: one shard decides nothing; "reynard tournament merge" of all shards does.':
      'SPRT: één deel beslist niets; "reynard tournament merge" van alle delen wel.',
    "SPRT (*, elo * against *, alpha *, beta *): LLR * [*, *] after * pairs, *.":
      "SPRT ({1}, elo {2} tegen {3}, alfa {4}, bèta {5}): LLR {6} [{7}; {8}] na {9} paren, {10}.",
    "H0 accepted (elo *)": "H0 aangenomen (elo {1})",
    "H1 accepted (elo *)": "H1 aangenomen (elo {1})",
    "Elo: of the games, with the error of the pairs; ± are 95 % intervals.":
      "Elo: van de partijen, met de fout van de paren; ± zijn 95%-intervallen.",
    "Rating: Elo relative to the mean, estimated together with the side advantages; ± are 95 % intervals.":
      "Rating: Elo ten opzichte van het gemiddelde, samen met de voordelen van de kanten geschat; ± zijn 95%-intervallen.",
    "Elo: of each engine against all others, as perfect scores leave no joint rating; ± are 95 % intervals.":
      "Elo: van elke engine tegen alle andere, omdat foutloze scores geen gezamenlijke rating toelaten; ± zijn 95%-intervallen.",
    "Points and games of the engine in the row against the engine of that rank.":
      "Punten en partijen van de engine in de rij tegen de engine met die rang.",
    "From the point of view of the engine named first; ± are 95 % intervals.":
      "Gezien vanuit de eerstgenoemde engine; ± zijn 95%-intervallen.",
    "Both games of a pair begin with the same opening, sides swapped. Ratio: pairs won over pairs lost.":
      "Beide partijen van een paar beginnen met dezelfde opening, met gewisselde kanten. Verhouding: gewonnen gedeeld door verloren paren.",
    "Elo: as if all players were equal. Advantage: with the ratings of the players taken into account. Pairs of which the same side won both games do not tell the engines apart.":
      "Elo: alsof alle spelers gelijk waren. Voordeel: met inachtneming van hun ratings. Paren waarvan dezelfde kant beide partijen won, zeggen niets over het verschil tussen de engines.",
    "Moves that gave away game value by tables of perfect play, which ignore repetition. Judged: positions that the tables cover; at stake: of these, positions that the mover had not lost already.":
      "Zetten die volgens tabellen van perfect spel iets weggaven; herhaling telt daarin niet. Beoordeeld: stellingen in de tabellen; op het spel: die waarin de speler nog niet verloren stond.",
    "Games in which the tables called a position won for the engine, by their results. Not given away: those drawn or lost in which no move gave the win away, by repetition or a limit of plies for example.":
      "Partijen waarin de tabellen een stelling gewonnen noemden voor de engine, naar uitslag. Niet weggegeven: remises en nederlagen waarin geen zet de winst weggaf, bijvoorbeeld door herhaling of een grens aan het aantal halve zetten.",
    "Plies: after which the win was there, and with which it was gone for good; n/a where no move gave it away.":
      "Halve zetten: waarna de winst er was, en waarmee zij voorgoed weg was; n.v.t. waar geen zet haar weggaf.",
    "As the head of the journal has them; machines are all on which games were played.":
      "Zoals ze in de kop van het journaal staan; machines zijn alle waarop gespeeld is.",
    "Of engines of this program the options that differ from their defaults, of others all that were set.":
      "Van engines van dit programma de opties die van hun standaard afwijken, van andere alle die gezet zijn.",
    "Elo with 95 % interval": "Elo met 95%-interval",
    "Results per side": "Uitslagen per kant",
    "Elo of * against all others over the games: *": "Elo van {1} tegen alle andere in de loop van de partijen: {2}",
    "Elo of * against * over the games: *": "Elo van {1} tegen {2} in de loop van de partijen: {3}",
    "Log-likelihood ratio over the games: *": "Log-likelihood-ratio in de loop van de partijen: {1}",
    "* as *: * won": "{1} als {2}: {3} gewonnen",
    "* as *: * drawn": "{1} als {2}: {3} remise",
    "* as *: * lost": "{1} als {2}: {3} verloren",
    "score in % over * (to the right) and * (upwards)": "score in % bij {1} (naar rechts) en {2} (omhoog)",
    "score in % over *": "score in % bij {1}",
    "games drawn so far, %": "remises tot nu toe, %",
    "points won as * so far, %": "punten als {1} tot nu toe, %",
    "loss in training (strong) and validation (pale)": "verlies bij training (sterk) en validatie (bleek)",
    "start *": "begin {1}",
    "in this process": "in dit proces",
    "no evidence": "geen bewijs",
    "round-robin": "ieder tegen ieder",
    "n/a": "n.v.t.",
    won: "gewonnen",
    drawn: "remise",
    lost: "verloren",
    games: "partijen",
    Advantage: "Voordeel",
    "At stake": "Op het spel",
    By: "Door",
    Depth: "Diepte",
    "Draw to loss": "Remise naar verlies",
    Drawn: "Remise",
    Game: "Partij",
    "Given away at": "Weggegeven bij",
    Half: "Helft",
    "Judged moves": "Beoordeelde zetten",
    Kind: "Soort",
    Limits: "Limieten",
    Longest: "Langste",
    Lost: "Verloren",
    Mean: "Gemiddeld",
    Moves: "Zetten",
    Nodes: "Knopen",
    "Not given away": "Niet weggegeven",
    Options: "Opties",
    "Pair ratio": "Verhouding",
    "Per game": "Per partij",
    "Plies per game": "Halve zetten per partij",
    Program: "Programma",
    Quarter: "Kwart",
    Result: "Uitslag",
    "Same side won both": "Zelfde kant won beide",
    Shortest: "Kortste",
    "Three quarters": "Driekwart",
    "Win to draw": "Winst naar remise",
    "Win to loss": "Winst naar verlies",
    Won: "Gewonnen",
    "Won after": "Gewonnen na",
    "Won by tables": "Gewonnen volgens tabellen",
    "* side has no legal move": "geen zet meer: {1}",
    "too few * left": "te weinig {1} over",
    "no * left": "geen {1} meer",
    "* reached the goal": "doel bereikt: {1}",
    "* (*)": "{1} ({2})",
    "*, *": "{1}, {2}",
  },
};

const pattern = text => new RegExp(`^${text.replace(/[.*()[\]%/]/g, mark => (mark === "*" ? "(.+?)" : `\\${mark}`))}$`);
const patterns = new Map(
  Object.entries(SENTENCES).map(([name, texts]) => [
    name,
    Object.entries(texts).map(([text, said]) => [pattern(text), said]),
  ]),
);

const NUMBERS = /^[\d<> ±+\-−.%:/[\]]+$/,
  DATE = /^\d+ [A-Z][a-z]+ \d{4}$/;

// A text of the program in the person's language, with all that stands in it.
export function sentence(text) {
  if (!patterns.has(language)) return text;
  if (NUMBERS.test(text)) return text.replaceAll(".", (1.5).toLocaleString(language).charAt(1));
  if (DATE.test(text)) return new Date(text).toLocaleDateString(language, { dateStyle: "long" });
  const plain = text.replaceAll("\u00a0", " ");
  for (const [known, said] of patterns.get(language)) {
    const found = known.exec(plain);
    if (found) return said.replace(/\{(\d+)\}/g, (_, n) => sentence(found[n]));
  }
  return word(text);
}

// Says all of a place anew, but for titles that people have given and what is quoted.
export function translate(place) {
  const texts = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
  for (let text; (text = texts.nextNode());)
    if (!text.parentElement.closest("h1, pre, code")) text.data = sentence((text.written ??= text.data));
}
