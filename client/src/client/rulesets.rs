//! What can be played, and what a ruleset of one's own takes.

use dicepoker_proto::v1 as pb;

use crate::call::call;
use crate::convert::{Malformed, read_ruleset, read_validated, write_rules};
use crate::{Client, Error, Rules, Ruleset, Validated};

impl Client {
    /// The built-in rulesets, all pages of them.
    ///
    /// # Errors
    /// If the service cannot be reached.
    pub async fn rulesets(&self) -> Result<Vec<Ruleset>, Error> {
        let mut rulesets = Vec::new();
        let mut page_token = String::new();
        loop {
            let request = pb::ListRulesetsRequest { page_size: 0, page_token };
            let page = call(self, request).await?;
            for ruleset in page.rulesets {
                rulesets.push(read_ruleset(ruleset)?);
            }
            if page.next_page_token.is_empty() {
                return Ok(rulesets);
            }
            page_token = page.next_page_token;
        }
    }

    /// One built-in ruleset, with the options of `rules` applied.
    ///
    /// # Errors
    /// `NotFound` if there is none of that name, `InvalidArgument` for wrong options.
    pub async fn ruleset(&self, rules: impl Into<Rules>) -> Result<Ruleset, Error> {
        let (ruleset, options, _) = write_rules(rules.into());
        let answer = call(self, pb::GetRulesetRequest { ruleset, options }).await?;
        Ok(read_ruleset(answer.ruleset.ok_or(Malformed("no ruleset"))?)?)
    }

    /// Whether rules are sound and what solving them takes, without solving them.
    ///
    /// ```
    /// # let server = dicepoker_client_testkit::Server::start();
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// # let client = dicepoker_client::Client::connect(server.url()).await?;
    /// use dicepoker_client::{Category, Definition, Pattern, Points};
    ///
    /// let rules = Definition::new(3, 6, 2)
    ///     .category(Category::new("chance", Pattern::Any {}, Points::all()))
    ///     .category(Category::new("triple", Pattern::Groups { sizes: vec![3], allow_same_face: false },
    ///         Points::fixed(30)));
    /// let validated = client.validate(rules).await?;
    /// assert_eq!((validated.states, validated.accepted), (4, true));
    /// # Ok::<(), dicepoker_client::Error>(()) }).unwrap();
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` with everything that is wrong with them.
    pub async fn validate(&self, rules: impl Into<Rules>) -> Result<Validated, Error> {
        let (ruleset, options, definition) = write_rules(rules.into());
        let request = pb::ValidateRulesetRequest { definition, ruleset, options };
        Ok(read_validated(call(self, request).await?))
    }
}
