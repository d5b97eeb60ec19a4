"""Ravfogel, Goldberg & Tyers (2018): can a recurrent network recover what the verb agrees with?"""
