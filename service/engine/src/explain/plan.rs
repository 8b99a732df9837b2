//! The plan of a move as one plain sentence, built from its [`Explanation`], in English, Portuguese
//! and Lithuanian.

use super::explanation::{CategoryChance, Explanation};
use crate::category::Category;
use crate::dice::Keep;
use crate::moves::Move;
use crate::sheet::Sheet;

/// A language of plans.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Portuguese.
    Portuguese,
    /// Lithuanian.
    Lithuanian,
}

impl Language {
    /// Every language.
    pub const ALL: [Self; 3] = [Self::English, Self::Portuguese, Self::Lithuanian];

    /// Its tag by BCP 47.
    #[must_use]
    pub const fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Portuguese => "pt",
            Self::Lithuanian => "lt",
        }
    }

    /// The language of a tag such as `pt-PT`; only the first part counts.
    #[must_use]
    pub fn from_tag(tag: &str) -> Option<Self> {
        let first = tag.split(['-', '_']).next().unwrap_or_default();
        Self::ALL.into_iter().find(|language| language.tag().eq_ignore_ascii_case(first))
    }
}

impl Explanation {
    /// The plan in one sentence, for a player at a game of `sheet`.
    #[must_use]
    pub fn plan(&self, sheet: &Sheet, language: Language) -> String {
        let mut sentence = match self.chosen {
            Move::Keep(keep) => self.keeping(sheet, keep, language),
            Move::Record(category) => {
                let crosses_out = self.chances.iter().all(|chance| chance.scored == 0.0);
                recording(&title(sheet, category, language), crosses_out, language)
            }
            Move::Announce(category) => announcing(&title(sheet, category, language), language),
        };
        if let Some((_, lead)) = self.runner_up {
            sentence.push_str(&compared(lead, language));
        }
        sentence.push('.');
        sentence
    }

    fn keeping(&self, sheet: &Sheet, keep: Keep, language: Language) -> String {
        let faces: Vec<String> = sheet.space().faces_of(keep).map(|f| f.to_string()).collect();
        let thrown = sheet.space().dice() - faces.len();
        let faces = faces.join("-");
        let start = match (language, faces.is_empty()) {
            (Language::English, true) => "Throw all the dice".to_owned(),
            (Language::English, false) if thrown == 1 => {
                format!("Keep {faces} and throw the other die")
            }
            (Language::English, false) => format!("Keep {faces} and throw the other {thrown} dice"),
            (Language::Portuguese, true) => "Lança os dados todos".to_owned(),
            (Language::Portuguese, false) if thrown == 1 => {
                format!("Guarda {faces} e lança o outro dado")
            }
            (Language::Portuguese, false) => {
                format!("Guarda {faces} e lança os outros {thrown} dados")
            }
            (Language::Lithuanian, true) => "Mesk visus kauliukus".to_owned(),
            (Language::Lithuanian, false) if thrown == 1 => {
                format!("Pasilik {faces} ir mesk likusį kauliuką")
            }
            (Language::Lithuanian, false) => {
                format!("Pasilik {faces} ir mesk likusius kauliukus ({thrown})")
            }
        };
        format!("{start}: {}", self.hopes(sheet, language))
    }

    /// The likely scores of the turn, and what happens without one.
    fn hopes(&self, sheet: &Sheet, language: Language) -> String {
        let title = |category| title(sheet, category, language);
        let crossed: Vec<&CategoryChance> =
            self.chances.iter().filter(|chance| chance.recorded > chance.scored + SURE).collect();
        let lost: f64 = crossed.iter().map(|chance| chance.recorded - chance.scored).sum();
        let likely = self.likely();
        match (&likely[..], &crossed[..]) {
            ([], [row]) => return certainly_lost(Some(&title(row.category)), language),
            ([], _) => return certainly_lost(None, language),
            ([hope], [row]) if hope.category == row.category => {
                let chance = percent(hope.scored, language);
                return made_or_lost(&chance, &title(row.category), language);
            }
            _ => {}
        }
        let hope = |chance: &CategoryChance| {
            format!("{} ({})", title(chance.category), percent(chance.scored, language))
        };
        let hopes = list(&likely.iter().map(hope).collect::<Vec<_>>(), language);
        let scores = match language {
            Language::English => format!("it most often scores in {hopes}"),
            Language::Portuguese => format!("pontua mais vezes em {hopes}"),
            Language::Lithuanian => format!("dažniausiai gausi taškų čia: {hopes}"),
        };
        if lost < LEAST_TOLD {
            return scores;
        }
        let lost = percent(lost, language);
        match (language, &crossed[..]) {
            (Language::English, [row]) => {
                format!("{scores}; {lost} to cross out {}", title(row.category))
            }
            (Language::English, _) => format!("{scores}; {lost} to cross out a row"),
            (Language::Portuguese, [row]) => {
                format!("{scores}; {lost} de riscar {}", title(row.category))
            }
            (Language::Portuguese, _) => format!("{scores}; {lost} de riscar uma linha"),
            (Language::Lithuanian, [row]) => {
                format!("{scores}; {lost} tikimybė užbraukti eilutę {}", title(row.category))
            }
            (Language::Lithuanian, _) => format!("{scores}; {lost} tikimybė užbraukti eilutę"),
        }
    }

    /// The categories in which the turn is most likely to score, three at most.
    fn likely(&self) -> Vec<CategoryChance> {
        let mut likely: Vec<CategoryChance> =
            self.chances.iter().copied().filter(|chance| chance.scored > 0.0).collect();
        likely.sort_by(|a, b| b.scored.total_cmp(&a.scored));
        likely.truncate(3);
        likely
    }
}

/// Differences of probabilities that are rounding errors.
const SURE: f64 = 1e-9;

/// The least chance to cross out a row that the plan mentions.
const LEAST_TOLD: f64 = 0.005;

/// The one row that the turn can score in, and what happens if it does not.
fn made_or_lost(chance: &str, title: &str, language: Language) -> String {
    match language {
        Language::English => format!("{chance} to make {title}; otherwise the row is crossed out"),
        Language::Portuguese => format!("{chance} de fazer {title}; senão, a linha é riscada"),
        Language::Lithuanian => {
            format!("{chance} tikimybė surinkti {title}; kitaip eilutė užbraukiama")
        }
    }
}

/// A turn that cannot score, and the row that it crosses out if only one is possible.
fn certainly_lost(title: Option<&str>, language: Language) -> String {
    let row = title.unwrap_or(match language {
        Language::English => "a row",
        Language::Portuguese => "uma linha",
        Language::Lithuanian => "eilutė",
    });
    match language {
        Language::English => format!("it crosses out {row}"),
        Language::Portuguese => format!("risca {row}"),
        Language::Lithuanian => format!("užbraukiama {row}"),
    }
}

fn recording(title: &str, crosses_out: bool, language: Language) -> String {
    match (language, crosses_out) {
        (Language::English, false) => format!("Record these dice in {title}"),
        (Language::English, true) => format!("Cross out {title}"),
        (Language::Portuguese, false) => format!("Regista estes dados em {title}"),
        (Language::Portuguese, true) => format!("Risca {title}"),
        (Language::Lithuanian, false) => format!("Įrašyk šiuos kauliukus čia: {title}"),
        (Language::Lithuanian, true) => format!("Užbrauk: {title}"),
    }
}

fn announcing(title: &str, language: Language) -> String {
    match language {
        Language::English => format!("Announce {title}"),
        Language::Portuguese => format!("Anuncia {title}"),
        Language::Lithuanian => format!("Paskelbk: {title}"),
    }
}

/// The value of the best other move compared with this one.
fn compared(lead: f64, language: Language) -> String {
    let points = decimal(lead.abs(), language);
    let level = lead.abs() < 0.05;
    match (language, level, lead > 0.0) {
        (Language::English, true, _) => "; the next best move is as good".to_owned(),
        (Language::English, _, true) => format!("; the next best move gives up {points} points"),
        (Language::English, _, false) => format!("; the best move brings {points} points more"),
        (Language::Portuguese, true, _) => "; a segunda melhor jogada vale o mesmo".to_owned(),
        (Language::Portuguese, _, true) => {
            format!("; a segunda melhor jogada perde {points} pontos")
        }
        (Language::Portuguese, _, false) => format!("; a melhor jogada rende mais {points} pontos"),
        (Language::Lithuanian, true, _) => "; kitas geriausias ėjimas lygiavertis".to_owned(),
        (Language::Lithuanian, _, true) => {
            format!("; kitas geriausias ėjimas duoda {points} taško mažiau")
        }
        (Language::Lithuanian, _, false) => {
            format!("; geriausias ėjimas duoda {points} taško daugiau")
        }
    }
}

/// The name of a row: the one of the rules in this language or in English, or else its id.
fn title(sheet: &Sheet, category: Category, language: Language) -> String {
    let row = sheet.row_of(category);
    let titles = [row.local_titles.get(language.tag()), Some(&row.title), Some(&row.id)];
    let title = titles.into_iter().flatten().find(|title| !title.is_empty());
    title.cloned().unwrap_or_default()
}

fn percent(share: f64, language: Language) -> String {
    let number = (share * 100.0).round();
    let bound = match language {
        Language::English => ["under", "over"],
        Language::Portuguese => ["menos de", "mais de"],
        Language::Lithuanian => ["mažiau nei", "daugiau nei"],
    };
    match share {
        _ if number < 1.0 => format!("{} 1 %", bound[0]),
        _ if number > 99.0 && share < 1.0 - SURE => format!("{} 99 %", bound[1]),
        _ => format!("{number:.0} %"),
    }
}

fn decimal(number: f64, language: Language) -> String {
    let text = format!("{number:.1}");
    if language == Language::English { text } else { text.replace('.', ",") }
}

fn list(items: &[String], language: Language) -> String {
    let and = match language {
        Language::English => "and",
        Language::Portuguese => "e",
        Language::Lithuanian => "ir",
    };
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} {and} {last}", first.join(", ")),
    }
}
